import JSON

extension SampleSection: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: String.self)
        let version = object.required("version", as: Int.self)
        let title = object.required("title", as: String.self)
        let layout = object.required("layout", as: String.self)
        alternates = object.optional("alternates")
        active = object.optional("active")
        let cell = object.required("cell", as: String.self)
        let items = object.required("items", as: [SampleSection.Placement].self)
        next = object.optional("next")
        extent = object.optional("extent")
        skeleton = object.optional("skeleton")
        tracking = object.optional("tracking")
        seeAll = object.optional("seeAll")
        try object.finish()
        self.id = try id()
        self.version = try version()
        self.title = try title()
        self.layout = try layout()
        self.cell = try cell()
        self.items = try items()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("version", version)
            $0.member("title", title)
            $0.member("layout", layout)
            $0.member("alternates", alternates)
            $0.member("active", active)
            $0.member("cell", cell)
            $0.member("items", items)
            $0.member("next", next)
            $0.member("extent", extent)
            $0.member("skeleton", skeleton)
            $0.member("tracking", tracking)
            $0.member("seeAll", seeAll)
        }
    }
}

extension SampleSection.Placement: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let placement = object.required("placement", as: String.self)
        let item = object.required("item", as: String.self)
        badges = object.optional("badges")
        try object.finish()
        self.placement = try placement()
        self.item = try item()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("placement", placement)
            $0.member("item", item)
            $0.member("badges", badges)
        }
    }
}

extension SampleSection.SeeAll: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let title = object.required("title", as: String.self)
        let layout = object.required("layout", as: String.self)
        let href = object.required("href", as: String.self)
        try object.finish()
        self.title = try title()
        self.layout = try layout()
        self.href = try href()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("title", title)
            $0.member("layout", layout)
            $0.member("href", href)
        }
    }
}
