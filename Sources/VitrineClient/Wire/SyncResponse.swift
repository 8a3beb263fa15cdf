internal import JSON

/// The outcome of a request.
public enum SyncResponse: Sendable {
    /// The server responded. `retryAfter` is in seconds.
    case response(status: Int, retryAfter: Int?, body: [UInt8])
    /// There was no response, for this reason.
    case unreachable(String)
}

/// The head and the digest with which a copy is verified.
public struct HeadResponse: Sendable, Equatable {
    public let head: Int
    public let entries: Int
    /// The digest in the notation of `CopyDigest.description`.
    public let digest: String

    /// Returns nil if the body is not a valid response.
    public init?(_ body: [UInt8]) {
        do throws(ResponseDecoder.InvalidResponse) {
            let root = try ResponseDecoder(body).root
            head = try root.count("head")
            entries = try root.count("entryCount")
            digest = try root.identifier("digest")
        } catch { return nil }
    }
}

/// The documents of items by ID. Items that have left the storefront are omitted.
struct ItemsResponse {
    struct Document {
        /// The version of the item itself. It is lower than the entity's version if the item joined the scope later.
        let version: Int
        let data: [UInt8]
    }

    let documents: [String: Document]

    init(_ body: [UInt8]) throws(ResponseDecoder.InvalidResponse) {
        var documents: [String: Document] = [:]
        for node in try ResponseDecoder(body).root.list("items") {
            guard node.kind == .object else { throw ResponseDecoder.InvalidResponse(reason: "an item is not an object") }
            documents[try node.identifier("id")] = Document(version: try node.count("version"), data: node.canonical())
        }
        self.documents = documents
    }
}

/// The problem document of an error response.
struct ProblemResponse {
    /// The problem code, or an empty string.
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

/// The resync instructions of a 410 response.
struct ExpiryResponse {
    enum ResyncKind: Equatable {
        /// No published entity is missing. Digests find the deleted ones.
        case upserts(cursor: String)
        /// Entries above this version may not exist in the server's history.
        case reconcile(cursor: String, version: Int)
        case full
    }

    let reason: String
    let recipe: ResyncKind

    /// Reads the instructions. Unknown or incomplete ones fall back to a full resync, which always works.
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
        case "upsertsThenReconcile": return .upserts(cursor: try node.identifier("cursor"))
        case "reconcile" where node["version"] != nil:
            return .reconcile(cursor: try node.identifier("cursor"), version: try node.count("version"))
        default: return .full
        }
    }
}
