package import JSON

extension BoundaryItem: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let elementKind = object.required("elementKind", as: Name.self)
        let size = object.required("size", as: LayoutSize.self)
        let alignment = object.required("alignment", as: Alignment.self)
        let offset = object.essential("offset", default: Offset.zero)
        let extendsBoundary = object.essential("extendsBoundary", default: true)
        let pinToVisibleBounds = object.essential("pinToVisibleBounds", default: false)
        let contentInsets = object.essential("contentInsets", default: Insets.zero)
        let zIndex = object.essential("zIndex", default: 1, .zIndex)
        try object.finish()
        self.init(
            elementKind: try elementKind(), size: try size(), alignment: try alignment(), offset: offset,
            extendsBoundary: extendsBoundary, pinToVisibleBounds: pinToVisibleBounds, contentInsets: contentInsets, zIndex: zIndex)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("elementKind", elementKind)
            json.member("size", size)
            json.member("alignment", alignment)
            json.member("offset", offset, unless: .zero)
            json.member("extendsBoundary", extendsBoundary, unless: true)
            json.member("pinToVisibleBounds", pinToVisibleBounds, unless: false)
            json.member("contentInsets", contentInsets, unless: .zero)
            json.member("zIndex", zIndex, unless: 1)
        }
    }
}

extension DecorationItem: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let elementKind = object.required("elementKind", as: Name.self)
        let contentInsets = object.essential("contentInsets", default: Insets.zero)
        let zIndex = object.essential("zIndex", default: 0, .zIndex)
        try object.finish()
        self.init(elementKind: try elementKind(), contentInsets: contentInsets, zIndex: zIndex)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("elementKind", elementKind)
            json.member("contentInsets", contentInsets, unless: .zero)
            json.member("zIndex", zIndex, unless: 0)
        }
    }
}
