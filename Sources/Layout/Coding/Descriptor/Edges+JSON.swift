package import JSON

extension PerEdge: JSONDecodable where Value: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let top = object.essential("top", default: Value.zero)
        let leading = object.essential("leading", default: Value.zero)
        let bottom = object.essential("bottom", default: Value.zero)
        let trailing = object.essential("trailing", default: Value.zero)
        try object.finish()
        self.init(top: top, leading: leading, bottom: bottom, trailing: trailing)
    }
}

extension PerEdge: JSONEncodable where Value: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("top", top, unless: .zero)
            json.member("leading", leading, unless: .zero)
            json.member("bottom", bottom, unless: .zero)
            json.member("trailing", trailing, unless: .zero)
        }
    }
}

extension Spacing: JSONDecodable, JSONEncodable {
    enum Key: String, CaseIterable { case fixed, flexible }

    package init(from json: JSONReader) throws(JSONReadError) {
        let (key, value) = try json.variant(of: Key.self)
        let points = try value.decode(as: Magnitude.self)
        self = key == .fixed ? .fixed(points) : .flexible(points)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .fixed(let points): json.member(Key.fixed.rawValue, points)
            case .flexible(let points): json.member(Key.flexible.rawValue, points)
            }
        }
    }
}

extension Offset: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let x = object.essential("x", default: 0 as Coordinate)
        let y = object.essential("y", default: 0 as Coordinate)
        try object.finish()
        self.init(x: x, y: y)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("x", x, unless: 0)
            json.member("y", y, unless: 0)
        }
    }
}
