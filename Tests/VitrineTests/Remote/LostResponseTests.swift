import Host
import JSON
import TestProxy
import TestSupport
import Testing

@Suite("A change whose response is lost", .serialized, .onOwnThread)
struct LostResponseTests {
    /// Runs a body with the port of a proxy that drops every other response to a request that changes data.
    private func withLosses(to port: UInt16, _ body: (UInt16) throws -> Void) throws {
        let proxyPort = BlockingPromise<Result<UInt16, any Error>>()
        let (end, signal) = AsyncStream<Void>.makeStream()
        let proxying = Task {
            do {
                try await Proxy.run(to: .port(port)) { proxy in
                    await proxy.behave(.dropResponses(to: ["PUT", "POST", "DELETE"]))
                    proxyPort.fulfill(.success(proxy.port))
                    for await _ in end {}
                }
            } catch { proxyPort.fulfill(.failure(error)) }
        }
        defer {
            signal.finish()
            proxying.cancel()
        }
        try body(try proxyPort.wait().get())
    }

    @Test("A change whose response is lost is made once, and the command succeeds")
    func once() throws {
        try CuratedSite.with { site in
            let port = try #require(site.server.split(separator: ":").last.flatMap { UInt16($0) })
            func revisions() throws -> Int { try site.json("rev", "ls", "today").count }
            func publications() throws -> Int { try site.json("schedule", "ls", "today").count }
            let (saved, planned) = (try revisions(), try publications())
            try withLosses(to: port) { lossy in
                func run(_ arguments: String...) throws -> Vitrine.Result {
                    try site.run(arguments: arguments, variables: ["VITRINE_SERVER": "http://127.0.0.1:\(lossy)"])
                }
                let set = try run("section", "set", "today", "hero", "--size", "4")
                #expect(set.status == .code(0) && set.output.contains("Saved revision "), "\(set)")
                let pinned = try run("pin", "add", "today", "hero", "trailhead")
                #expect(pinned.status == .code(0), "\(pinned)")
                let published = try run("publish", "today", "--from", "+1d", "--yes", "--compare", "us")
                #expect(published.status == .code(0), "\(published)")
            }
            #expect(try revisions() == saved + 2 && publications() == planned + 1)
        }
    }
}
