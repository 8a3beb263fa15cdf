internal import JSON

/// An item as clients are shown it, as far as commands speak of it.
struct ShownItem: JSONDecodable, Sendable {
    struct Rating: JSONDecodable, Sendable {
        /// A number as the server writes it.
        let average: JSONValue
        let count: Int

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            let average = object.required("average", as: JSONValue.self)
            count = object.value("count", default: 0)
            try object.finish()
            self.average = try average()
        }
    }

    let id: String
    let kind: String
    let slug: String
    let serialNumber: Int?
    let title: String
    let rating: Rating?

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: String.self)
        kind = object.value("kind", default: "")
        slug = object.value("slug", default: "")
        serialNumber = object.optional("serialNumber")
        title = object.value("title", default: "")
        rating = object.optional("rating")
        try object.finish()
        self.id = try id()
    }
}
