internal import Arguments
internal import HTTP
internal import HTTPMessages
import Host
internal import JSON

/// A request as typed. The response to each page is printed when it is complete.
struct APIRequest: Sendable {
    let method: Method
    let path: APIPath
    let fields: [(name: String, value: String)]
    let body: [UInt8]
    /// Whether the pages after the first one are requested too.
    let paginates: Bool
    let output: ResponseOutput

    /// Sends the request to the selected server. Throws if the path is of another server, so that the token stays with
    /// its own, and for a rejected request after its body is printed.
    func send(to server: AdminClient) async throws {
        let selected = server.client.server
        if let named = path.server, named.description != selected.description.lowercased() {
            throw RemoteError(
                message: "the URL is not on the selected server \(selected), and the token must not be sent elsewhere",
                advice: "use a path, or select the server with --server or --profile", exitCode: .usage)
        }
        guard !path.target.prefix(while: { $0 != "?" }).hasSuffix("/sync/stream") else {
            throw RemoteError(
                message: "an event stream has no end", advice: "follow the changes with 'vitrine sync tail'", exitCode: .usage)
        }
        var next: String? = path.target
        var visited: Set<String> = []
        while let target = next {
            guard visited.insert(target).inserted else {
                throw RemoteError(message: "the server returned the same page twice", advice: "", exitCode: .failed)
            }
            let response = try await server.exchange(method, target, otherFields: fields, body: body)
            try StandardStream.output.write(output.bytes(of: response))
            guard 200..<300 ~= response.status.rawValue else { throw RemoteError(response) }
            next = paginates ? try Self.next(after: response) : nil
        }
    }

    /// Returns the path of the next page, or nil if the response is the last page or not a list.
    private static func next(after response: InboundResponse) throws -> String? {
        let document: JSONDocument
        do throws(JSONError) { document = try JSONDocument(parsing: response.body, limits: .ownOutput) } catch {
            throw RemoteError(message: "the response is not JSON, so it has no next page", advice: "omit --paginate", exitCode: .failed)
        }
        guard let next = document.root["next"]?.string else { return nil }
        let path: APIPath
        do throws(APIPath.ParseError) { path = try APIPath(next) } catch { throw RemoteError.unreadable }
        guard path.server == nil, next.hasPrefix("/") else { throw RemoteError.unreadable }
        return path.target
    }
}
