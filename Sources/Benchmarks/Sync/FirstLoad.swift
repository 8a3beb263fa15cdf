import Foundation
import Host

/// A client that requests page after page of a catalog.
struct FirstLoad {
    /// A page of changes as a client receives it.
    struct Page {
        let cursor: String
        let hasMore: Bool
        /// The version of a copy that has these changes.
        let version: Int
        let changes: Int

        init(_ body: [UInt8]) throws {
            let opening = String(decoding: body.prefix(300), as: UTF8.self)
            guard
                let match = opening.firstMatch(
                    of: #/^\{"cursor":"([^"]+)","hasMore":(true|false),"upToDate":(?:true|false),"version":([0-9]+),/#),
                let version = Int(match.3)
            else { throw BenchmarkFailure(reason: "unexpected response: \(opening)") }
            cursor = String(match.1)
            hasMore = match.2 == "true"
            self.version = version
            changes = Self.count(of: #"{"op":"#, in: body)
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

    /// The cursor of the last page.
    private(set) var cursor: String?
    /// The version that the copy has.
    private(set) var version = 0
    private(set) var bytes = 0
    private(set) var changes = 0
    /// The time spent waiting, without the client's own processing.
    private(set) var time = Duration.zero

    init(after cursor: String? = nil) { self.cursor = cursor }

    /// Loads pages until that many changes have arrived, or all of them.
    mutating func run(_ socket: ClientSocket, limit: Int, until maximum: Int = .max) async throws {
        while changes < maximum {
            let start = ContinuousClock.now
            let response = try await socket.response(to: SyncedSite.path("limit=\(limit)", after: cursor))
            time += start.duration(to: .now)
            guard response.status == 200 else { throw BenchmarkFailure(reason: String(decoding: response.body, as: UTF8.self)) }
            let page = try Page(response.body)
            bytes += response.body.count
            changes += page.changes
            cursor = page.cursor
            version = page.version
            guard page.hasMore else { return }
        }
    }
}
