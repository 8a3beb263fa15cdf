package import JSON

extension BoundaryItem: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let elementKind = object.required("elementKind", as: Name.self)
        let size = object.required("size", as: LayoutSize.self)
        let alignment = object.required("alignment", as: Alignment.self)
        offset = object.essential("offset", default: .zero)
        extendsBoundary = object.essential("extendsBoundary", default: true)
        pinToVisibleBounds = object.essential("pinToVisibleBounds", default: false)
        contentInsets = object.essential("contentInsets", default: .zero)
        zIndex = object.essential("zIndex", default: 1, .zIndex)
        self.elementKind = try elementKind()
        self.size = try size()
        self.alignment = try alignment()
    }

    package func encodeMembers(to json: inout JSONWriter) {
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

extension DecorationItem: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let elementKind = object.required("elementKind", as: Name.self)
        contentInsets = object.essential("contentInsets", default: .zero)
        zIndex = object.essential("zIndex", default: 0, .zIndex)
        self.elementKind = try elementKind()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("elementKind", elementKind)
        json.member("contentInsets", contentInsets, unless: .zero)
        json.member("zIndex", zIndex, unless: 0)
    }
}
