import Foundation
import Host

/// A client that requests page after page of a catalog.
struct FirstLoad {
    /// The cursor of the last page.
    private(set) var cursor: String?
    private(set) var bytes = 0
    private(set) var changes = 0
    /// The time spent waiting, without the client's own processing.
    private(set) var time = Duration.zero

    init(after cursor: String? = nil) { self.cursor = cursor }

    /// Loads pages until that many changes have arrived, or all of them.
    mutating func run(_ socket: ClientSocket, limit: Int, until maximum: Int = .max) async throws {
        while changes < maximum {
            let start = ContinuousClock.now
            let page = try await socket.response(to: SyncedSite.path("limit=\(limit)", after: cursor))
            time += start.duration(to: .now)
            guard page.status == 200 else { throw BenchmarkFailure(reason: String(decoding: page.body, as: UTF8.self)) }
            bytes += page.body.count
            changes += Self.count(of: #"{"op":"#, in: page.body)
            let opening = String(decoding: page.body.prefix(200), as: UTF8.self)
            guard let match = opening.firstMatch(of: #/^\{"cursor":"([^"]+)","hasMore":(true|false)/#) else {
                throw BenchmarkFailure(reason: "unexpected response: \(opening)")
            }
            cursor = String(match.1)
            if match.2 == "false" { return }
        }
    }

    private static func count(of text: String, in page: [UInt8]) -> Int {
        let text = Array(text.utf8)
        var count = 0
        var position = 0
        while let next = page[position...].firstIndex(of: text[0]) {
            if page[next...].starts(with: text) { count += 1 }
            position = next + 1
        }
        return count
    }
}
