import Foundation
internal import Postgres
import Settings

/// A page of memory while clients request more PNG images than the server draws.
///
/// The threads that draw share the core of the server's loops. They have the lowest priority, so that pages do not wait for them.
struct FullImageQueue {
    /// The requests for the page in a second, a small part of what a core serves. A page at its highest rate would leave no time
    /// for the images.
    private static let rate = 2_000.0
    /// The length of a round.
    private static let seconds = 3
    /// The maximum 99th percentile, as a multiple of the one without images. Rounds of the same load differ by as much.
    private static let limit = 1.25
    /// The minimum number of rejected requests in a second. The connections that do not wait in the queue send about three times
    /// as many while it is full.
    private static let minRejected = 100.0

    private let server: VitrineServer
    private let folder: String

    static func rows(_ url: DatabaseURL, in folder: String, _ progress: ProgressLine) throws -> [BenchmarkRow] {
        let server = try VitrineServer(name: "images", in: folder, core: 0, database: url.exposed)
        defer { server.kill() }
        try server.waitUntilReady()
        _ = try server.thoroughResponse(MeasuredSite.path, SamplePages.acceptsBrotli, in: folder)
        let queue = FullImageQueue(server: server, folder: folder)
        var (alone, full, rejected): ([Double], [Double], [Double]) = ([], [], [])
        for round in 1...Load.rounds {
            progress.show("a page with a full queue of images, round \(round) of \(Load.rounds)")
            try queue.waitUntilIdle()
            alone.append(try queue.paced().percentile99)
            let images = try ImageLoad(server, round: round, in: folder)
            full.append(try queue.paced().percentile99)
            rejected.append(try images.finish().rejectedPerSecond)
        }
        return try [
            BenchmarkRow(
                what: "pages: \(Int(Self.rate)) requests a second while the queue of images is full, 99th percentile",
                measured: .init(full, unit: "µs"), against: ("without images", .init(alone, unit: "µs")),
                bar: .ratioAtLeast(1 / Self.limit)),
            BenchmarkRow(
                what: "pages: images rejected with 503 and Retry-After while the queue is full", measured: .init(rejected, unit: "/s"),
                bar: .allAtLeast(Self.minRejected)),
        ]
    }

    /// Waits until the server has drawn the last images of the round before.
    private func waitUntilIdle() throws {
        let process = MeasuredServer(name: "vitrine", port: server.port, process: server.id)
        for _ in 0..<300 {
            let before = try process.time()
            usleep(100_000)
            if try process.time().spent(since: before).total < .milliseconds(10) { return }
        }
        throw BenchmarkFailure(reason: "the server is busy without requests")
    }

    private func paced() throws -> PacedOutcome {
        let load = try PacedProcess(MeasuredSite.path, port: server.port, rate: Self.rate, seconds: Self.seconds, in: folder)
        return try load.outcome()
    }
}
