internal import JSON

/// The documents of items by their ids; those that are not in the storefront any more are missing.
struct ItemsAnswer {
    let documents: [String: [UInt8]]

    init(_ body: [UInt8]) throws(WireDocument.Refusal) {
        var documents: [String: [UInt8]] = [:]
        for node in try WireDocument(body).root.list("items") {
            guard node.kind == .object else { throw WireDocument.Refusal(reason: "an item is not an object") }
            documents[try node.word("id")] = node.canonical()
        }
        self.documents = documents
    }
}
