import Foundation
import Host
internal import Postgres
import Settings

/// A page of memory for clients of which each request is another one: another ID, other languages and another request ID.
///
/// The page asks about none of them, so that it should cost little more than for one client that repeats its request.
struct DistinctClients {
    /// The number of the first client. All numbers have as many digits, so that all requests of distinct clients have the same size.
    private static let first = 10_000_000
    /// The maximum cost, as a multiple of the cost for equal headers. Equal requests have no `X-Request-ID`, so that the server may
    /// repeat its response.
    private static let limit = 1.25

    /// The pages of a generated catalog, by name: one that the URL decides, one for each locale, and one for each client.
    static let generatedPages = [
        ("a shared page", "\(MeasuredSite.path)"), ("a page without a locale", "/v1/us/feeds/shelves"),
        ("a personal page", "/v1/us/feeds/shelves?form=personal"),
    ]

    private let suite: String
    private let server: VitrineServer
    private let folder: String
    private let progress: ProgressLine

    /// Measures pages of a server that is started for them.
    static func rows(
        _ suite: String, _ url: DatabaseURL, _ pages: [(name: String, path: String)], in folder: String, _ progress: ProgressLine
    ) throws -> [BenchmarkRow] {
        let server = try VitrineServer(name: "distinct", in: folder, core: 0, database: url.exposed)
        defer { server.kill() }
        try server.waitUntilReady()
        try MeasuredSite(copy: url).waitUntilSettled()
        let clients = DistinctClients(suite: suite, server: server, folder: folder, progress: progress)
        return try pages.map { name, path in
            progress.show("distinct clients of \(name)")
            return try clients.row(name, path)
        }
    }

    private func row(_ name: String, _ path: String) throws -> BenchmarkRow {
        var (distinct, equal): ([Double], [Double]) = ([], [])
        for _ in 0..<Load.rounds {
            equal.append(try ChangedResponses.repeating(progress) { try cost(path, isDistinct: false) })
            distinct.append(try ChangedResponses.repeating(progress) { try cost(path, isDistinct: true) })
        }
        return try BenchmarkRow(
            what: "\(suite): \(name) for distinct clients, on a core", measured: .init(distinct, unit: "µs"),
            against: ("equal headers", .init(equal, unit: "µs")), bar: .ratioAtLeast(1 / Self.limit))
    }

    /// The header fields of a client.
    private static func fields(_ number: String, isDistinct: Bool) -> [String] {
        let id = isDistinct ? ["X-Request-ID: request-\(number)"] : []
        return [
            "Accept-Encoding: br", #"Vitrine-Client: id="client-\#(number)", platform=ios, app="3.\#(number)", os="18.1""#,
            "Accept-Language: en-US, x-\(number);q=0.5", "User-Agent: shop/3.1 (iPhone)",
        ] + id
    }

    /// Returns the CPU time of a request in microseconds.
    private func cost(_ path: String, isDistinct: Bool) throws -> Double {
        let fields = Self.fields("\(Self.first)", isDistinct: isDistinct)
        let expected = try server.thoroughResponse(path, fields, in: folder)
        let process = MeasuredServer(name: "vitrine", port: server.port, process: server.id)
        let file = "\(folder)/distinct.lua"
        try Data(script(path, isDistinct: isDistinct).utf8).write(to: URL(fileURLWithPath: file))
        let before = try process.time()
        let (text, status) = try ProcessLaunch(
            "taskset", ["-c", "1", "wrk", "-t1", "-c\(Load.connections)", "-d1s", "-s", file, server.url(path)]
        ).output(within: .seconds(31))
        let spent = try process.time().spent(since: before)
        guard status.isSuccess, let outcome = LoadOutcome(ofWrk: text), outcome.requests > 0 else {
            throw BenchmarkFailure(reason: "distinct clients of \(path): \(text)")
        }
        try outcome.check(size: expected.bytes.count, underWay: Load.connections, "distinct clients of \(path)")
        return spent.total / .microseconds(1) / Double(outcome.requests)
    }

    /// Returns the script of wrk. It writes each request in the same way, with the number of another client or of always the same
    /// one, so that the load is as fast.
    private func script(_ path: String, isDistinct: Bool) -> String {
        let fields = Self.fields("%d", isDistinct: isDistinct)
        let numbers = Array(repeating: "client", count: fields.joined().components(separatedBy: "%d").count - 1)
        let lines = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(server.port)"] + fields + ["", ""]
        return """
            local form = [[\(lines.joined(separator: "\\r\\n"))]]
            form = form:gsub("\\\\r\\\\n", "\\r\\n")
            local client = \(Self.first)
            function request()
                client = client + \(isDistinct ? 1 : 0)
                return string.format(form, \(numbers.joined(separator: ", ")))
            end
            function done(sum) io.write(string.format("sums: %d responses, %d bytes\\n", sum.requests, sum.bytes)) end
            """
    }
}
