import JSON

extension SampleLayout: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let kind = object.required("kind", as: Kind.self)
        rows = object.optional("rows")
        columns = object.optional("columns")
        paging = object.optional("paging")
        group = object.optional("group")
        contentInsets = object.optional("contentInsets")
        interGroupSpacing = object.optional("interGroupSpacing")
        orthogonalScrollingBehavior = object.optional("orthogonalScrollingBehavior")
        boundarySupplementaryItems = object.optional("boundarySupplementaryItems")
        try object.finish()
        self.kind = try kind()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", kind)
            $0.member("rows", rows)
            $0.member("columns", columns)
            $0.member("paging", paging)
            $0.member("group", group)
            $0.member("contentInsets", contentInsets)
            $0.member("interGroupSpacing", interGroupSpacing)
            $0.member("orthogonalScrollingBehavior", orthogonalScrollingBehavior)
            $0.member("boundarySupplementaryItems", boundarySupplementaryItems)
        }
    }
}

extension SampleLayout.Dimension: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        fractionalWidth = object.optional("fractionalWidth")
        fractionalHeight = object.optional("fractionalHeight")
        absolute = object.optional("absolute")
        try object.finish()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("fractionalWidth", fractionalWidth)
            $0.member("fractionalHeight", fractionalHeight)
            $0.member("absolute", absolute)
        }
    }
}

extension SampleLayout.Size: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let width = object.required("width", as: SampleLayout.Dimension.self)
        let height = object.required("height", as: SampleLayout.Dimension.self)
        try object.finish()
        self.width = try width()
        self.height = try height()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("width", width)
            $0.member("height", height)
        }
    }
}

extension SampleLayout.Leaf: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let kind = object.required("kind", as: String.self)
        let size = object.required("size", as: SampleLayout.Size.self)
        try object.finish()
        self.kind = try kind()
        self.size = try size()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", kind)
            $0.member("size", size)
        }
    }
}

extension SampleLayout.Fill: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        equal = object.optional("equal")
        times = object.optional("times")
        try object.finish()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("equal", equal)
            $0.member("times", times)
        }
    }
}

extension SampleLayout.Spacing: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        fixed = object.optional("fixed")
        flexible = object.optional("flexible")
        try object.finish()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("fixed", fixed)
            $0.member("flexible", flexible)
        }
    }
}

extension SampleLayout.Group: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let kind = object.required("kind", as: String.self)
        let size = object.required("size", as: SampleLayout.Size.self)
        let subitems = object.required("subitems", as: [SampleLayout.Leaf].self)
        fill = object.optional("fill")
        interItemSpacing = object.optional("interItemSpacing")
        try object.finish()
        self.kind = try kind()
        self.size = try size()
        self.subitems = try subitems()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", kind)
            $0.member("size", size)
            $0.member("subitems", subitems)
            $0.member("fill", fill)
            $0.member("interItemSpacing", interItemSpacing)
        }
    }
}

extension SampleLayout.Insets: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        top = object.optional("top")
        leading = object.optional("leading")
        bottom = object.optional("bottom")
        trailing = object.optional("trailing")
        try object.finish()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("top", top)
            $0.member("leading", leading)
            $0.member("bottom", bottom)
            $0.member("trailing", trailing)
        }
    }
}

extension SampleLayout.Boundary: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let elementKind = object.required("elementKind", as: String.self)
        let size = object.required("size", as: SampleLayout.Size.self)
        alignment = object.optional("alignment")
        try object.finish()
        self.elementKind = try elementKind()
        self.size = try size()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("elementKind", elementKind)
            $0.member("size", size)
            $0.member("alignment", alignment)
        }
    }
}
