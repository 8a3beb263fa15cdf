internal import Commands
internal import HTTP
internal import Spelling

extension RemoteSession {
    /// Runs a body that asks a server by its name: its URL, and behind a `#` the file that its token is in.
    func run<Answer: Sendable>(
        named name: String, _ body: @escaping @Sendable (RemoteServer) async throws -> Answer
    ) throws -> Answer? {
        let words = name.split(separator: "#", maxSplits: 1).map(String.init)
        let server: ServerURL
        do throws(ServerURL.Mistake) {
            server = try ServerURL(parsing: words.first ?? "")
        } catch {
            throw RemoteFailure(
                message: "there is no server called \(name.printable(limit: 80))", advice: "Expected \(error.expectation).",
                exitCode: .notFound)
        }
        return try run(at: server, try token(in: words.count > 1 ? words[1] : nil), body)
    }
}
