internal import JSON

/// The documents of items by their ids; those that are not in the storefront any more are missing.
struct ItemsResponse {
    struct Document {
        /// The item's own, which is lower than that of the entity where its membership came later.
        let version: Int
        let data: [UInt8]
    }

    let documents: [String: Document]

    init(_ body: [UInt8]) throws(ResponseDecoder.Refusal) {
        var documents: [String: Document] = [:]
        for node in try ResponseDecoder(body).root.list("items") {
            guard node.kind == .object else { throw ResponseDecoder.Refusal(reason: "an item is not an object") }
            documents[try node.word("id")] = Document(version: try node.count("version"), data: node.canonical())
        }
        self.documents = documents
    }
}
