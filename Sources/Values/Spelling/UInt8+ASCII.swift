/// ASCII character classes, for grammars.
extension UInt8 {
    package var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    package var isLower: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
    package var isUpper: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
}
