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
        guard let coordinate = Coordinate(number) else {
            throw json.refuse(.outOfRange, "expected minus a billion to a billion, found \(number)")
        }
        self = coordinate
    }

    package func encode(to json: inout JSONWriter) { json.number(value) }
}

extension Inset: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let number = try json.decode(as: Double.self)
        guard let inset = Inset(number) else {
            throw json.refuse(
                .insetRange, "expected 0 or at least 1, found \(number)", hint: number < 1 ? "insets are in points, not fractions" : nil)
        }
        self = inset
    }

    package func encode(to json: inout JSONWriter) { json.number(points) }
}

extension Ratio: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let terms = try json.list { term throws(JSONReadError) in try term.decode(as: Int.self, .in(0...Ratio.greatestTerm)) }
        guard terms.count == 2 else { throw json.refuse(.invalidCount, "expected two terms, found \(terms.count)") }
        guard let ratio = Ratio(terms[0], terms[1]) else { throw json.refuse(.outOfRange, "the divisor cannot be 0") }
        self = ratio
    }

    package func encode(to json: inout JSONWriter) { [numerator, denominator].encode(to: &json) }
}

extension Fraction: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        switch json.kind {
        case .number: self = .decimal(try json.decode())
        case .array: self = .ratio(try json.decode())
        default: throw json.mismatch("a number or a ratio", hint: "write [1, 3] for an exact third")
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
    package static let maxBytes = 128

    package init(from json: JSONReader) throws(JSONReadError) {
        self.init(try json.decode(as: String.self, .bytes(1...Self.maxBytes)))
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

extension Dimension: JSONDecodable, JSONObjectEncodable {
    enum Key: String, CaseIterable { case fractionalWidth, fractionalHeight, absolute, estimated, uniformAcrossSiblings }

    package init(from json: JSONReader) throws(JSONReadError) {
        let (key, value) = try json.variant(of: Key.self)
        switch key {
        case .fractionalWidth: self = .fractionalWidth(try value.decode())
        case .fractionalHeight: self = .fractionalHeight(try value.decode())
        case .absolute: self = .absolute(try value.decode())
        case .estimated: self = .estimated(try value.decode())
        case .uniformAcrossSiblings: self = .uniformAcrossSiblings(try value.decode())
        }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .fractionalWidth(let fraction): json.member(Key.fractionalWidth.rawValue, fraction)
        case .fractionalHeight(let fraction): json.member(Key.fractionalHeight.rawValue, fraction)
        case .absolute(let points): json.member(Key.absolute.rawValue, points)
        case .estimated(let points): json.member(Key.estimated.rawValue, points)
        case .uniformAcrossSiblings(let points): json.member(Key.uniformAcrossSiblings.rawValue, points)
        }
    }
}

extension LayoutSize: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let width = object.required("width", as: Dimension.self)
        let height = object.required("height", as: Dimension.self)
        self.init(width: try width(), height: try height())
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("width", width)
        json.member("height", height)
    }
}

extension PerEdge: JSONDecodable, JSONObjectDecodable where Value: JSONDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        top = object.essential("top", default: .zero)
        leading = object.essential("leading", default: .zero)
        bottom = object.essential("bottom", default: .zero)
        trailing = object.essential("trailing", default: .zero)
    }
}

extension PerEdge: JSONEncodable, JSONObjectEncodable where Value: JSONEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("top", top, unless: .zero)
        json.member("leading", leading, unless: .zero)
        json.member("bottom", bottom, unless: .zero)
        json.member("trailing", trailing, unless: .zero)
    }
}

extension Spacing: JSONDecodable, JSONObjectEncodable {
    enum Key: String, CaseIterable { case fixed, flexible }

    package init(from json: JSONReader) throws(JSONReadError) {
        let (key, value) = try json.variant(of: Key.self)
        let points = try value.decode(as: Magnitude.self)
        self = key == .fixed ? .fixed(points) : .flexible(points)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .fixed(let points): json.member(Key.fixed.rawValue, points)
        case .flexible(let points): json.member(Key.flexible.rawValue, points)
        }
    }
}

extension Offset: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        x = object.essential("x", default: 0)
        y = object.essential("y", default: 0)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("x", x, unless: 0)
        json.member("y", y, unless: 0)
    }
}
