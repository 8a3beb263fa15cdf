internal import JSON

/// What a 410 tells of how to go on.
struct ExpiryResponse {
    enum ResyncKind: Equatable {
        /// Nothing that was put is missing; what is gone is found out by digests.
        case upserts(cursor: String)
        /// What is stored above the version may never have been.
        case reconcile(cursor: String, version: Int)
        case full
    }

    let reason: String
    let recipe: ResyncKind

    /// What is not understood, or comes without what it needs, is healed by the recipe that always works.
    init(_ body: [UInt8]) {
        var told: (reason: String, recipe: ResyncKind) = ("unknown", .full)
        do throws(ResponseDecoder.Refusal) {
            let root = try ResponseDecoder(body).root
            told.reason = root["reason"]?.string ?? told.reason
            told.recipe = try Self.recipe(root["resync"])
        } catch {}
        (reason, recipe) = told
    }

    private static func recipe(_ node: JSONNode?) throws(ResponseDecoder.Refusal) -> ResyncKind {
        guard let node, let kind = node["kind"]?.string, node["cursor"] != nil else { return .full }
        switch kind {
        case "upsertsThenReconcile": return .upserts(cursor: try node.word("cursor"))
        case "reconcile" where node["version"] != nil:
            return .reconcile(cursor: try node.word("cursor"), version: try node.count("version"))
        default: return .full
        }
    }
}
