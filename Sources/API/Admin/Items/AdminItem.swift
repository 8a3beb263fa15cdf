internal import CatalogImport
internal import JSON
internal import Values

/// An item with its record, as curators are shown it.
struct AdminItem: JSONEncodable {
    let item: StoredItem

    init(_ item: StoredItem) { self.item = item }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", item.id.description)
            json.member("version", item.version)
            json.member("isWithdrawn", item.isWithdrawn)
            json.member("record", item)
        }
    }

    var state: TaggedResource {
        get throws(JSONError) { try TaggedResource(self) }
    }
}
