package import JSON

extension Insets: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let top = object.essential("top", default: Inset.zero)
        let leading = object.essential("leading", default: Inset.zero)
        let bottom = object.essential("bottom", default: Inset.zero)
        let trailing = object.essential("trailing", default: Inset.zero)
        try object.finish()
        self.init(top: top, leading: leading, bottom: bottom, trailing: trailing)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("top", top, unless: .zero)
            json.member("leading", leading, unless: .zero)
            json.member("bottom", bottom, unless: .zero)
            json.member("trailing", trailing, unless: .zero)
        }
    }
}

extension EdgeLengths: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let top = object.essential("top", default: 0 as Magnitude)
        let leading = object.essential("leading", default: 0 as Magnitude)
        let bottom = object.essential("bottom", default: 0 as Magnitude)
        let trailing = object.essential("trailing", default: 0 as Magnitude)
        try object.finish()
        self.init(top: top, leading: leading, bottom: bottom, trailing: trailing)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("top", top, unless: 0)
            json.member("leading", leading, unless: 0)
            json.member("bottom", bottom, unless: 0)
            json.member("trailing", trailing, unless: 0)
        }
    }
}

extension Spacing: JSONDecodable, JSONEncodable {
    enum Key: String, CaseIterable { case fixed, flexible }

    package init(from json: JSONReader) throws(JSONRefusal) {
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

extension EdgeSpacing: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let top = object.essential("top", default: Spacing.zero)
        let leading = object.essential("leading", default: Spacing.zero)
        let bottom = object.essential("bottom", default: Spacing.zero)
        let trailing = object.essential("trailing", default: Spacing.zero)
        try object.finish()
        self.init(top: top, leading: leading, bottom: bottom, trailing: trailing)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("top", top, unless: .zero)
            json.member("leading", leading, unless: .zero)
            json.member("bottom", bottom, unless: .zero)
            json.member("trailing", trailing, unless: .zero)
        }
    }
}

extension Offset: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONRefusal) {
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
