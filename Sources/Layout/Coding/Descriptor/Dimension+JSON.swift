package import JSON

extension Dimension: JSONDecodable, JSONEncodable {
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

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .fractionalWidth(let fraction): json.member(Key.fractionalWidth.rawValue, fraction)
            case .fractionalHeight(let fraction): json.member(Key.fractionalHeight.rawValue, fraction)
            case .absolute(let points): json.member(Key.absolute.rawValue, points)
            case .estimated(let points): json.member(Key.estimated.rawValue, points)
            case .uniformAcrossSiblings(let points): json.member(Key.uniformAcrossSiblings.rawValue, points)
            }
        }
    }
}

extension LayoutSize: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let width = object.required("width", as: Dimension.self)
        let height = object.required("height", as: Dimension.self)
        try object.finish()
        self.init(width: try width(), height: try height())
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("width", width)
            json.member("height", height)
        }
    }
}
