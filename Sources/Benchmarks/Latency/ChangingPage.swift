import Foundation
import HTTP
import Host
internal import Postgres
import Settings

/// The latency of a page below saturation, while it changes each second: Vitrine publishes it, and nginx gets another file.
struct ChangingPage {
    /// The share of the highest rate of each server at which its latency is measured.
    private static let utilization = 0.7
    /// The length of a round. The page changes in the middle of each second.
    fileprivate static let seconds = 4
    /// The maximum 99th percentile, as a multiple of nginx's.
    private static let limit = 1.5

    private let load: Load
    private let contest: HTTPContest
    private let server: VitrineServer
    private let feed: RepublishedFeed

    /// Starts a server and a copy of its page on nginx, and measures both.
    static func rows(_ name: String, path: String, feed key: String, _ url: DatabaseURL, in folder: String, _ progress: ProgressLine) throws
        -> [BenchmarkRow]
    {
        let server = try VitrineServer(name: "changing", in: folder, core: 0, database: url.exposed)
        defer { server.kill() }
        try server.waitUntilReady()
        let feed = try RepublishedFeed(key, url)
        try feed.publish()
        let body = try server.thoroughPage(path, titled: feed.title, in: folder).body
        let files = try SamplePages.folder("changing", in: folder, [(path, body)])
        let vitrine = MeasuredServer(name: "vitrine", port: server.port, process: server.id)
        let rows = try HTTPContest.run(
            "latency", vitrine, in: files, try Certificate(in: files), fields: SamplePages.fieldsOfBrotli, isDetailed: true
        ) { contest in
            let load = Load(name: name, path: path, headers: SamplePages.acceptsBrotli, kind: .http1(isEncrypted: false), bar: 1)
            let page = ChangingPage(load: load, contest: contest, server: server, feed: feed)
            return try page.rows(progress)
        }
        try feed.close()
        return rows
    }

    private func rows(_ progress: ProgressLine) throws -> [BenchmarkRow] {
        progress.show("\(load.name), rates")
        let servers = [contest.vitrine, contest.peers[0]]
        let expected = try contest.expected(of: load, servers)
        var rates = servers.map { _ in [Double]() }
        for _ in 1...3 {
            for (index, server) in servers.enumerated() {
                let outcome = try ChangedResponses.repeating(progress) {
                    try load.run(server, expected[index], in: contest.folder)
                } settle: {
                    try contest.wait(for: expected[index], of: load, from: server)
                }
                rates[index].append(outcome.rate)
            }
        }
        let highest = try rates.map { try BenchmarkRow.Figure($0, unit: "/s") }
        var outcomes = servers.map { _ in [PacedOutcome]() }
        for round in 1...Load.rounds {
            progress.show("\(load.name), latency, round \(round) of \(Load.rounds)")
            let before = try settledPage()
            outcomes[0].append(try paced(servers[0], rate: highest[0].median * Self.utilization) { _ in try feed.publish() })
            // The other server is measured when Vitrine has nothing left to do, with the pages that Vitrine has shown.
            let after = try settledPage()
            try replaceFile(with: after)
            try contest.wait(for: ExpectedResponse(headers: load.headers, response: after), of: load, from: servers[1])
            outcomes[1].append(
                try paced(servers[1], rate: highest[1].median * Self.utilization) { try replaceFile(with: $0 % 2 == 0 ? before : after) })
        }
        return try rows(highest, outcomes, against: servers[1].name)
    }

    private func rows(_ rates: [BenchmarkRow.Figure], _ outcomes: [[PacedOutcome]], against peer: String) throws -> [BenchmarkRow] {
        let what = "\(contest.name): \(load.name), published each second"
        func row(_ name: String, _ value: KeyPath<PacedOutcome, Double>, unit: String = "µs", bar: BenchmarkRow.Bar? = nil) throws
            -> BenchmarkRow
        {
            let sides = try outcomes.map { try BenchmarkRow.Figure($0.map { $0[keyPath: value] }, unit: unit) }
            return BenchmarkRow(what: "\(what), \(name)", measured: sides[0], against: (peer, sides[1]), bar: bar)
        }
        return try [
            BenchmarkRow(what: "\(contest.name): \(load.name), highest rate", measured: rates[0], against: (peer, rates[1]), bar: nil),
            row("99th percentile at 70 %", \.percentile99, bar: .ratioAtLeast(1 / Self.limit)),
            row("median at 70 %", \.median), row("longest at 70 %", \.maximum),
            row("99th percentile of the load generator's own delay", \.delay),
            row("changes of the page in a second", \.changesPerSecond, unit: "/s"),
        ]
    }

    /// Sends requests, and changes the page in the middle of each second.
    private func paced(_ server: MeasuredServer, rate: Double, _ change: (Int) throws -> Void) throws -> PacedOutcome {
        let paced = try PacedProcess(load.path, port: server.ports.plain, rate: rate, seconds: Self.seconds, in: contest.folder)
        let start = ContinuousClock.now
        for second in 0..<Self.seconds {
            let rest = ContinuousClock.now.duration(to: start.advanced(by: .milliseconds(1_000 * second + 500)))
            usleep(UInt32(max(0, rest / .microseconds(1))))
            try change(second)
        }
        let outcome = try paced.outcome()
        guard outcome.changes >= Self.seconds / 2 else {
            throw BenchmarkFailure(reason: "\(load.name): \(server.name) showed \(outcome.changes) changes in \(Self.seconds) seconds")
        }
        return outcome
    }

    /// Returns the page with the published title.
    private func settledPage() throws -> ServedResponse { try server.thoroughPage(load.path, titled: feed.title, in: contest.folder) }

    /// Replaces the file of nginx, like a program that publishes it.
    private func replaceFile(with page: ServedResponse) throws {
        try Data(page.body).write(to: URL(fileURLWithPath: SamplePages.file(of: load.path, in: contest.folder)), options: .atomic)
    }
}

extension PacedOutcome {
    fileprivate var changesPerSecond: Double { Double(changes) / Double(ChangingPage.seconds) }
}

extension VitrineServer {
    /// Returns a page that has a title, after it is thoroughly compressed.
    fileprivate func thoroughPage(_ path: String, titled title: String, in folder: String) throws -> ServedResponse {
        for _ in 0..<1_500 {
            let page = try ServedResponse.get(url(path), [], isHTTP2: false, in: folder)
            if String(decoding: page.body, as: UTF8.self).contains("\"\(title)\"") {
                return try thoroughResponse(path, SamplePages.acceptsBrotli, in: folder)
            }
            usleep(20_000)
        }
        throw BenchmarkFailure(reason: "\(url(path)) does not show the title \(title)")
    }
}
