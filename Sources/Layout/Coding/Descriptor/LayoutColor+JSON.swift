package import JSON

extension LayoutColor: JSONDecodable, JSONEncodable {
    /// The pattern of a color in documents.
    static let pattern = "^(#[0-9A-Fa-f]{6}|[a-z][A-Za-z0-9]{0,63})$"

    package init(from json: JSONReader) throws(JSONReadError) {
        let text = try json.decode(as: String.self)
        guard let color = LayoutColor(text) else {
            throw json.refuse(
                .outOfRange, "expected a color in the form #RRGGBB or a token such as \"accent\"",
                hint: text.utf8.first == UInt8(ascii: "#") ? "write six hexadecimal digits" : nil)
        }
        self = color
    }

    /// Returns nil if the text is neither `#RRGGBB` nor a token.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "#") {
            let digits = text.dropFirst()
            guard bytes.count == 7, digits.utf8.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else { return nil }
            self = .rgb(value)
        } else {
            guard (1...64).contains(bytes.count), bytes[0].isLowercase, bytes.allSatisfy(\.isLetterOrDigit) else { return nil }
            self = .token(Name(text))
        }
    }

    /// The color as `#RRGGBB`, or the token.
    package var text: String {
        switch self {
        case .rgb(let value):
            let digits = String(value, radix: 16, uppercase: true)
            return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
        case .token(let name): return name.text
        }
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}

extension UInt8 {
    fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetterOrDigit: Bool { isLowercase || isDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }
}

extension ColorFill: JSONDecodable, JSONEncodable {
    enum Key: String, CaseIterable { case gradient }

    package init(from json: JSONReader) throws(JSONReadError) {
        switch json.kind {
        case .string: self = .color(try json.decode())
        case .object: self = .gradient(try json.variant(of: Key.self).1.decode())
        default: throw json.mismatch("a color or {\"gradient\": …}")
        }
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .color(let color): color.encode(to: &json)
        case .gradient(let gradient): json.object { json in json.member(Key.gradient.rawValue, gradient) }
        }
    }
}

extension Gradient: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let colors = object.required("colors", as: [LayoutColor].self)
        let axis = object.essential("axis", default: Axis.vertical)
        try object.finish()
        guard let gradient = Gradient(try colors(), along: axis) else {
            throw object.refuse(
                .invalidCount, at: "colors", "expected \(Self.colorCount.lowerBound) to \(Self.colorCount.upperBound) colors")
        }
        self = gradient
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("colors", colors)
        json.member("axis", axis, unless: .vertical)
    }
}
