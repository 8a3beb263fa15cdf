internal import JSON

/// What a server says of an answer that is none.
struct ProblemResponse {
    /// The stable word for it; empty where there is none.
    let code: String
    let detail: String

    init(_ body: [UInt8]) {
        do throws(ResponseDecoder.Refusal) {
            let root = try ResponseDecoder(body).root
            code = root["code"]?.string ?? ""
            detail = root["detail"]?.string ?? ""
        } catch {
            (code, detail) = ("", "")
        }
    }
}
