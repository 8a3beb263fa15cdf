extension JSONScanner {
    /// Moves past a number; true where it is written without a fraction and an exponent.
    ///
    /// A number beyond the range of a double (1e999) is refused here, so that each number of a document can be converted; one that is too
    /// small for a double (1e-400) is zero.
    mutating func number() throws(JSONParseFailure) -> Bool {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        try digits(after: "the minus sign")
        if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
            throw JSONParseFailure(code: .badNumber, offset: firstDigit, message: "a number does not begin with 0 and another digit")
        }
        var isInteger = true
        var mayOverflow = position - firstDigit > 300
        if current == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits(after: "the decimal point")
        }
        if let byte = current, byte | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            mayOverflow = true
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits(after: "the exponent")
        }
        guard position - start <= limits.numberBytes else {
            throw JSONParseFailure(
                code: .numberTooLong, offset: start,
                message: "a number has at most \(limits.numberBytes) characters, this one \(position - start)")
        }
        if mayOverflow, !JSONNumberText(bytes, start..<position).double.isFinite {
            throw JSONParseFailure(code: .numberOutOfRange, offset: start, message: "the number is beyond ±1.7976931348623157e308")
        }
        return isInteger
    }

    private mutating func digits(after what: StaticString) throws(JSONParseFailure) {
        let start = position
        while let byte = current, byte.isDigit { position &+= 1 }
        guard position == start else { return }
        throw JSONParseFailure(code: .badNumber, offset: position, message: "a digit is missing after \(what)")
    }
}
