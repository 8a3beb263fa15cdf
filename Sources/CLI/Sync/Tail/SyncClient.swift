internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import VitrineClient

/// Asks a server the questions of sync.
struct SyncClient {
    /// What an answer may take beyond what the server was allowed to wait.
    private static let patience = 30

    let client: HTTPClient
    let scope: CopyScope

    /// What came of it; throws only where it was cancelled, or the place is wrong and waiting does not mend it.
    func ask(_ request: SyncRequest) async throws(HTTPClientError) -> SyncResponse {
        let deadline = Deadline.after(.seconds(request.patience + Self.patience))
        do throws(HTTPClientError) {
            let answer = try await client.send(
                OutboundRequest(request.target(in: scope), fields: fields(for: request)), until: deadline)
            return .answer(status: answer.status.rawValue, retryAfter: answer.retryAfter, body: answer.body)
        } catch {
            switch error.code {
            case .cancelled, .untrusted: throw error
            default: return .unreachable("\(error)")
            }
        }
    }

    private func fields(for request: SyncRequest) -> [(name: FieldName, value: String)] {
        let accepted: (name: FieldName, value: String) = (name: "accept", value: "application/json")
        // Documents are kept for minutes, and those that are asked for have changed.
        if case .items = request { return [accepted, (name: "cache-control", value: "no-cache")] }
        return [accepted]
    }
}
