import API
import EventLoop
import HTTP
import HTTPMessages
import Host
import Telemetry
import Values

/// Pages of several sizes, served from memory like those of `vitrine serve`: through its routes and all of its
/// middleware, on one loop.
enum ServedPages {
    /// The sizes in kilobytes.
    static let sizes = [2, 12, 60]

    /// Returns generated words that do not repeat, so that they compress like a page.
    static func bytes(_ size: Int) -> [UInt8] {
        var text = ""
        var number = 0
        while text.utf8.count < size * 1_024 {
            number += 1
            text += #"{"id":"item-\#(number)","title":"An item, number \#(number)","rating":4.\#(number % 10)},"#
        }
        return Array(text.utf8.prefix(size * 1_024))
    }

    /// Prints the port and serves until the process is killed.
    static func serve() async throws {
        let pages = Dictionary(
            uniqueKeysWithValues: sizes.map { size in
                ("\(size)k", Representation(bytes(size), type: "application/json", version: "page-\(size)", effort: .quick))
            })
        let content = ContentGeneration()
        let route = Route(.get, "/v1/{storefront}/feeds/{feed}") { call throws(Problem) in
            let page = try call.parameters.value("feed") { pages[$0] }
            var response = page.response(to: call.head)
            response.repetition = Repetition(of: content, from: content.current, page, until: .after(.seconds(1)))
            return .now(response)
        }
        let metrics = RequestMetrics()
        // The log level excludes lines about single requests.
        let telemetry = Telemetry(now: { .epoch }, sinks: [Log(.json, from: .info) { _ in }.sink], from: .info)
        let application = Application(
            [route], middleware: .ofServe(metrics, telemetry), bodyLimit: 65_536, metrics: metrics, failed: { _, _ in })
        let server = try await HTTPServer(
            [.tcp(host: "127.0.0.1", port: 0)], on: try EventLoopGroup(name: "http", count: 1), service: application.service)
        try StandardStream.output.write("\(server.ports[0] ?? 0)\n")
        try await Task.sleep(for: .seconds(86_400))
    }
}
