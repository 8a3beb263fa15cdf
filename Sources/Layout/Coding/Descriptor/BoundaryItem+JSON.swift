package import JSON

extension BoundaryItem: JSONDecodable, JSONObjectEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let elementKind = object.required("elementKind", as: Name.self)
        let size = object.required("size", as: LayoutSize.self)
        let alignment = object.required("alignment", as: Alignment.self)
        offset = object.essential("offset", default: .zero)
        extendsBoundary = object.essential("extendsBoundary", default: true)
        pinToVisibleBounds = object.essential("pinToVisibleBounds", default: false)
        contentInsets = object.essential("contentInsets", default: .zero)
        zIndex = object.essential("zIndex", default: 1, .zIndex)
        stretchyHeader = object.value("stretchyHeader", default: false)
        try object.finish()
        self.elementKind = try elementKind()
        self.size = try size()
        self.alignment = try alignment()
        if stretchyHeader, json.isStrict, !self.alignment.edges.contains(.top) {
            throw object.refuse(.invalidChoice, at: "stretchyHeader", "only an item at the top stretches, found \(self.alignment.rawValue)")
        }
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
        json.member("stretchyHeader", stretchyHeader, unless: false)
    }
}

extension DecorationItem: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let elementKind = object.required("elementKind", as: Name.self)
        contentInsets = object.essential("contentInsets", default: .zero)
        zIndex = object.essential("zIndex", default: 0, .zIndex)
        fill = object.optional("fill")
        cornerRadius = object.value("cornerRadius", default: 0)
        self.elementKind = try elementKind()
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("elementKind", elementKind)
        json.member("contentInsets", contentInsets, unless: .zero)
        json.member("zIndex", zIndex, unless: 0)
        json.member("fill", fill)
        json.member("cornerRadius", cornerRadius, unless: 0)
    }
}
