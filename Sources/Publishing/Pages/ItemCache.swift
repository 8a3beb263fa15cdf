internal import Feeds
internal import Items
internal import JSON
internal import Postgres
internal import Values

/// The items of editions, so that those which did not change are not understood again.
struct ItemCache {
    private(set) var items: [UUID: Item] = [:]
    private(set) var mistakes: [UnreadablePublication] = []

    init(_ editions: some Sequence<FeedSnapshot>) {
        for edition in editions { items.merge(edition.items) { $0.version < $1.version ? $1 : $0 } }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Takes what was read, and answers which are not known in the version that is published, though nothing was read of them.
    mutating func take(_ rows: [(id: UUID, version: Int, document: JSONBytes?)]) -> [UUID] {
        var missing: [UUID] = []
        for (id, version, document) in rows {
            guard let document else {
                if items[id]?.version != version { missing.append(id) }
                continue
            }
            do throws(JSONError) {
                items[id] = try Item(version: version, document: document.bytes)
            } catch {
                mistakes.append(UnreadablePublication(what: "item \(id)", error: error))
            }
        }
        return missing
    }
}
