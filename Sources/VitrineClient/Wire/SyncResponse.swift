internal import JSON

/// What came of a question.
public enum SyncResponse: Sendable {
    /// `retryAfter` is in seconds.
    case answer(status: Int, retryAfter: Int?, body: [UInt8])
    /// Nothing came, for a reason in words.
    case unreachable(String)
}

/// What the server has at its head, to prove a copy by.
public struct HeadResponse: Sendable, Equatable {
    public let head: Int
    public let entries: Int
    /// As a copy's digest describes itself.
    public let digest: String

    /// Nil where the body is no such answer.
    public init?(_ body: [UInt8]) {
        do throws(ResponseDecoder.InvalidResponse) {
            let root = try ResponseDecoder(body).root
            head = try root.count("head")
            entries = try root.count("entryCount")
            digest = try root.word("digest")
        } catch { return nil }
    }
}

/// The documents of items by their ids; those that are not in the storefront any more are missing.
struct ItemsResponse {
    struct Document {
        /// The item's own, which is lower than that of the entity where its membership came later.
        let version: Int
        let data: [UInt8]
    }

    let documents: [String: Document]

    init(_ body: [UInt8]) throws(ResponseDecoder.InvalidResponse) {
        var documents: [String: Document] = [:]
        for node in try ResponseDecoder(body).root.list("items") {
            guard node.kind == .object else { throw ResponseDecoder.InvalidResponse(reason: "an item is not an object") }
            documents[try node.word("id")] = Document(version: try node.count("version"), data: node.canonical())
        }
        self.documents = documents
    }
}

/// What a server says of an answer that is none.
struct ProblemResponse {
    /// The stable word for it; empty where there is none.
    let code: String
    let detail: String

    init(_ body: [UInt8]) {
        do throws(ResponseDecoder.InvalidResponse) {
            let root = try ResponseDecoder(body).root
            code = root["code"]?.string ?? ""
            detail = root["detail"]?.string ?? ""
        } catch {
            (code, detail) = ("", "")
        }
    }
}

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
        var reported: (reason: String, recipe: ResyncKind) = ("unknown", .full)
        do throws(ResponseDecoder.InvalidResponse) {
            let root = try ResponseDecoder(body).root
            reported.reason = root["reason"]?.string ?? reported.reason
            reported.recipe = try Self.recipe(root["resync"])
        } catch {}
        (reason, recipe) = reported
    }

    private static func recipe(_ node: JSONNode?) throws(ResponseDecoder.InvalidResponse) -> ResyncKind {
        guard let node, let kind = node["kind"]?.string, node["cursor"] != nil else { return .full }
        switch kind {
        case "upsertsThenReconcile": return .upserts(cursor: try node.word("cursor"))
        case "reconcile" where node["version"] != nil:
            return .reconcile(cursor: try node.word("cursor"), version: try node.count("version"))
        default: return .full
        }
    }
}
