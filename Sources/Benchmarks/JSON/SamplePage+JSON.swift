import JSON

extension SamplePage: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let schema = object.required("schema", as: String.self)
        let feed = object.required("feed", as: String.self)
        let storefront = object.required("storefront", as: String.self)
        let locale = object.required("locale", as: String.self)
        let revision = object.required("revision", as: Int.self)
        let version = object.required("version", as: Int.self)
        validUntil = object.optional("validUntil")
        let configuration = object.required("configuration", as: Configuration.self)
        let layouts = object.required("layouts", as: [String: SampleLayout].self)
        let sections = object.required("sections", as: [SampleSection].self)
        let items = object.required("items", as: [String: SampleItem].self)
        try object.finish()
        self.schema = try schema()
        self.feed = try feed()
        self.storefront = try storefront()
        self.locale = try locale()
        self.revision = try revision()
        self.version = try version()
        self.configuration = try configuration()
        self.layouts = try layouts()
        self.sections = try sections()
        self.items = try items()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("schema", schema)
            $0.member("feed", feed)
            $0.member("storefront", storefront)
            $0.member("locale", locale)
            $0.member("revision", revision)
            $0.member("version", version)
            $0.member("validUntil", validUntil)
            $0.member("configuration", configuration)
            $0.member("layouts", layouts)
            $0.member("sections", sections)
            $0.member("items", items)
        }
    }
}

extension SamplePage.Configuration: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let interSectionSpacing = object.required("interSectionSpacing", as: Double.self)
        contentInsetsReference = object.optional("contentInsetsReference")
        try object.finish()
        self.interSectionSpacing = try interSectionSpacing()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("interSectionSpacing", interSectionSpacing)
            $0.member("contentInsetsReference", contentInsetsReference)
        }
    }
}
