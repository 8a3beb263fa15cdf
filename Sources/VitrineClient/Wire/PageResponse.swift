internal import JSON

struct PageResponse {
    struct Change {
        let key: EntityKey
        let version: Int
        let operation: Operation
    }

    enum Operation {
        case upsert(CopyContent)
        case delete
        /// An operation that a later server added. The digests of the server show its result.
        case unknown
    }

    let cursor: String
    let hasMore: Bool
    let isUpToDate: Bool
    let version: Int
    let head: Int
    let changes: [Change]

    init(_ body: [UInt8], keepsData: Bool) throws(ResponseDecoder.InvalidResponse) {
        let root = try ResponseDecoder(body).root
        cursor = try root.identifier("cursor")
        hasMore = try root.bool("hasMore")
        isUpToDate = try root.bool("upToDate")
        version = try root.count("version")
        head = try root.count("head")
        var changes: [Change] = []
        for node in try root.list("changes") { changes.append(try Change(node, keepsData: keepsData)) }
        self.changes = changes
        guard !(hasMore && isUpToDate) else { throw ResponseDecoder.InvalidResponse(reason: "it has more changes but is up to date") }
        guard version <= head else { throw ResponseDecoder.InvalidResponse(reason: "its version is above its head") }
        guard zip(changes, changes.dropFirst()).allSatisfy({ $0.version <= $1.version }),
            changes.last.map({ $0.version <= version }) != false
        else { throw ResponseDecoder.InvalidResponse(reason: "its changes do not ascend to its version") }
    }
}

extension PageResponse.Change {
    fileprivate init(_ node: JSONNode, keepsData: Bool) throws(ResponseDecoder.InvalidResponse) {
        guard node.kind == .object else { throw ResponseDecoder.InvalidResponse(reason: "a change is not an object") }
        key = EntityKey(kind: try node.identifier("kind"), id: try node.identifier("id"))
        version = try node.count("version", in: 1...(.max))
        switch node["op"]?.string {
        case "delete": operation = .delete
        case "upsert":
            guard let data = node["data"], data.kind == .object else {
                throw ResponseDecoder.InvalidResponse(reason: "a change has no data")
            }
            operation = .upsert(CopyContent(hash: try node.identifier("hash"), data: keepsData ? data.canonical() : nil))
        case .some: operation = .unknown
        case nil: throw ResponseDecoder.InvalidResponse(reason: "a change has no op")
        }
    }
}
