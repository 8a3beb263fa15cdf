import JSON

/// A sample of an object with exactly one key, which selects the case.
enum Dimension: Equatable, JSONDecodable, JSONEncodable {
    case fractionalWidth(Double)
    case absolute(Double)

    private enum Key: String, CaseIterable { case fractionalWidth, absolute }

    init(from json: JSONReader) throws(JSONReadError) {
        let (key, value) = try json.variant(of: Key.self)
        switch key {
        case .fractionalWidth: self = .fractionalWidth(try value.decode(.in(0...1)))
        case .absolute: self = .absolute(try value.decode())
        }
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            switch self {
            case .fractionalWidth(let fraction): $0.member(Key.fractionalWidth.rawValue, fraction)
            case .absolute(let points): $0.member(Key.absolute.rawValue, points)
            }
        }
    }
}
