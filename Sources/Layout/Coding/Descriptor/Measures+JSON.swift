package import JSON

extension Magnitude: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let number = try json.decode(as: Double.self)
        guard let magnitude = Magnitude(number) else { throw json.refuse(.outOfRange, "expected 0 to a billion, found \(number)") }
        self = magnitude
    }

    package func encode(to json: inout JSONWriter) { json.number(value) }
}

extension Coordinate: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let number = try json.decode(as: Double.self)
        guard let coordinate = Coordinate(number) else { throw json.refuse(.outOfRange, "expected ± a billion at most, found \(number)") }
        self = coordinate
    }

    package func encode(to json: inout JSONWriter) { json.number(value) }
}

extension Inset: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let number = try json.decode(as: Double.self)
        guard let inset = Inset(number) else {
            throw json.refuse(
                .insetRange, "expected 0 or at least 1, found \(number)", hint: number < 1 ? "insets are points and no fractions" : nil)
        }
        self = inset
    }

    package func encode(to json: inout JSONWriter) { json.number(points) }
}

extension Ratio: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let terms = try json.list { term throws(JSONReadError) in try term.decode(as: Int.self, .in(0...Ratio.greatestTerm)) }
        guard terms.count == 2 else { throw json.refuse(.wrongCount, "expected two terms, found \(terms.count)") }
        guard let ratio = Ratio(terms[0], terms[1]) else { throw json.refuse(.outOfRange, "nothing is divided by 0") }
        self = ratio
    }

    package func encode(to json: inout JSONWriter) { [numerator, denominator].encode(to: &json) }
}

extension Fraction: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        switch json.kind {
        case .number: self = .decimal(try json.decode())
        case .array: self = .ratio(try json.decode())
        default: throw json.mismatch("a number or a ratio", hint: "an exact third is [1, 3]")
        }
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .decimal(let decimal): decimal.encode(to: &json)
        case .ratio(let ratio): ratio.encode(to: &json)
        }
    }
}

extension Name: JSONDecodable, JSONEncodable {
    package static let mostBytes = 128

    package init(from json: JSONReader) throws(JSONReadError) {
        self.init(try json.decode(as: String.self, .bytes(1...Self.mostBytes)))
    }

    package func encode(to json: inout JSONWriter) { json.string(text) }
}

extension Scale: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let number = try json.decode(as: Double.self)
        guard let scale = Scale(number) else { throw json.refuse(.outOfRange, "expected 0.1 to 100, found \(number)") }
        self = scale
    }

    package func encode(to json: inout JSONWriter) { json.number(factor) }
}
