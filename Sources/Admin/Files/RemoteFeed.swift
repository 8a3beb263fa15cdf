internal import Commands
internal import Feeds
internal import Host
internal import JSON
internal import Spelling
internal import Time

/// The documents of a feed on a server.
struct RemoteFeed {
    let key: FeedKey

    init(_ text: String) throws(RemoteFailure) {
        guard let key = FeedKey(text) else {
            throw RemoteFailure(
                message: "\(text.printable(limit: 80)) is no key of a feed", advice: "vitrine feed ls lists them.", exitCode: .notFound)
        }
        self.key = key
    }

    var path: String { "feeds/\(key)" }

    /// The newest of a line.
    func draft(of line: String, _ server: RemoteServer) async throws -> FeedFile {
        try file(try await server.get("\(path)/draft", [(name: "line", value: line)]))
    }

    /// What the base shows now, also where a takeover is before it.
    func published(_ server: RemoteServer) async throws -> FeedFile {
        let state = try await server.get(path)
        let now = Timestamp(clamping: Machine.wallClock)
        let shown = state["live"]?["layer"]?.string == "base" ? state["live"]?["revision"]?.integer : nil
        let base = state["publications"]?.elements.first { publication in
            publication["layer"]?.string == "base" && publication["from"]?.string.flatMap { Timestamp($0) }.map { $0 <= now } ?? false
        }
        guard let number = shown ?? base?["revision"]?.integer, state["archivedAt"] == nil else {
            throw RemoteFailure(
                message: "nothing of \(key) is published there", advice: "Publish it first, or take its draft by --draft.",
                exitCode: .notFound)
        }
        return FeedFile(document: try file(try await server.get("\(path)/revisions/\(number)")).document)
    }

    private func file(_ state: JSONNode) throws -> FeedFile {
        let line = state["line"]?.string.flatMap { LineKey($0) } ?? .main
        do throws(JSONError) {
            return FeedFile(line: line, document: try FeedDocument(parsing: state["document"]?.canonical() ?? [], limits: .feed))
        } catch {
            throw RemoteFailure(
                message: "revision \(state["revision"]?.integer ?? 0) of \(key) cannot be read: \(error)",
                advice: "Use the program that saved it.", exitCode: .invalid)
        }
    }
}
