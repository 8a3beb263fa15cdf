internal import CatalogImport
internal import JSON
internal import Values

/// What a server says of a request that it refused, in the form of RFC 9457.
struct RemoteProblem: JSONDecodable {
    struct FieldError: JSONDecodable {
        let pointer: JSONPointer?
        let parameter: String?
        let message: String

        /// After its place, on one line of a terminal.
        var line: String {
            let place = pointer?.description ?? parameter ?? ""
            return "\(place.isEmpty ? "" : "\(place): ")\(message)".printable(limit: 300)
        }

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            pointer = object.optional("pointer")
            parameter = object.optional("parameter")
            message = object.value("message", default: "")
            try object.finish()
        }
    }

    let code: String?
    let detail: String?
    let requestID: String?
    let errors: [FieldError]
    /// What a word may mean that names several items.
    let candidates: [StoredItem.Candidate]
    /// The state that there is, where a change was decided on another.
    let current: JSONNode?

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        code = object.optional("code")
        detail = object.optional("detail")
        requestID = object.optional("requestId")
        errors = object.lossyArray("errors")
        candidates = object.lossyArray("candidates")
        current = object.member("current")?.node
        try object.finish()
    }
}
