internal import CatalogImport
internal import Items
internal import JSON
internal import Values

/// An item that a word may mean, with all that tells it from the others.
struct ItemCandidate: JSONEncodable {
    let item: StoredItem

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", item.id.description)
            json.member("kind", item.record.kind.rawValue)
            json.member("slug", item.record.slug)
            json.member("source", item.record.source)
        }
    }
}
