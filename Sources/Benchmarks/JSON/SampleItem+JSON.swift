import JSON

extension SampleItem: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let kind = object.required("kind", as: String.self)
        let version = object.required("version", as: Int.self)
        let serialNumber = object.required("serialNumber", as: Int.self)
        let slug = object.required("slug", as: String.self)
        let title = object.required("title", as: String.self)
        subtitle = object.optional("subtitle")
        let image = object.required("image", as: Image.self)
        let categories = object.required("categories", as: [String].self)
        rating = object.optional("rating")
        price = object.optional("price")
        developer = object.optional("developer")
        appVersion = object.optional("appVersion")
        try object.finish()
        self.kind = try kind()
        self.version = try version()
        self.serialNumber = try serialNumber()
        self.slug = try slug()
        self.title = try title()
        self.image = try image()
        self.categories = try categories()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", kind)
            $0.member("version", version)
            $0.member("serialNumber", serialNumber)
            $0.member("slug", slug)
            $0.member("title", title)
            $0.member("subtitle", subtitle)
            $0.member("image", image)
            $0.member("categories", categories)
            $0.member("rating", rating)
            $0.member("price", price)
            $0.member("developer", developer)
            $0.member("appVersion", appVersion)
        }
    }
}

extension SampleItem.Image: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let template = object.required("template", as: String.self)
        let width = object.required("width", as: Int.self)
        let height = object.required("height", as: Int.self)
        color = object.optional("color")
        blurhash = object.optional("blurhash")
        let alt = object.required("alt", as: String.self)
        try object.finish()
        self.template = try template()
        self.width = try width()
        self.height = try height()
        self.alt = try alt()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("template", template)
            $0.member("width", width)
            $0.member("height", height)
            $0.member("color", color)
            $0.member("blurhash", blurhash)
            $0.member("alt", alt)
        }
    }
}

extension SampleItem.Rating: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let average = object.required("average", as: Double.self)
        let count = object.required("count", as: Int.self)
        try object.finish()
        self.average = try average()
        self.count = try count()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("average", average)
            $0.member("count", count)
        }
    }
}

extension SampleItem.Price: JSONDecodable, JSONEncodable {
    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let amountMinor = object.required("amountMinor", as: Int.self)
        let currency = object.required("currency", as: String.self)
        try object.finish()
        self.amountMinor = try amountMinor()
        self.currency = try currency()
    }

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("amountMinor", amountMinor)
            $0.member("currency", currency)
        }
    }
}
