import EventLoop
import Glibc
import HTTPMessages
import Host
import JSON
import Sync
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

@Suite("The digests of sync and the lists of their buckets", .databaseForEachTest)
struct BucketRouteTests {
    @Test("A list has as many whole buckets as fit, and the position of the others")
    func pagedBuckets() async throws {
        try await SyncSite.run(limiting: { $0.maxEntries = 40 }) { site in
            try await site.sql(
                "SELECT pg_temp.top_app('more-' || n, '{\"en\": \"More\"}'::jsonb, rating => 4, ratings => n) FROM generate_series(1, 110) AS n"
            )
            for query in ["locale=en", "locale=en&feeds=today"] {
                let digests = try await site.json("/v1/us/sync/digest?\(query)")
                let buckets = (0..<16).map(String.init).joined(separator: ",")
                var next: String? = "/v1/us/sync/digest?\(query)&bits=4&buckets=\(buckets)"
                var ids: Set<String> = []
                var listed: [Int] = []
                while let path = next {
                    let response = try await site.send("GET \(path)")
                    let list = try response.json
                    #expect(response.status == .ok && list["entries"]?.count ?? .max <= 40)
                    ids.formUnion(list["entries"]?.elements.compactMap { entry in entry["id"]?.string } ?? [])
                    listed += list["listedBuckets"]?.elements.compactMap { $0.integer } ?? []
                    next = list["next"]?.string
                    #expect(response["link"] == next.map { ["<\($0)>; rel=\"next\""] } ?? [])
                }
                #expect(listed == Array(0..<16) && ids.count == digests["entryCount"]?.integer, "\(query)")
            }
            #expect(try await site.rejection("/v1/us/sync/digest?locale=en&bits=0&buckets=0") == "tooManyEntries")
        }
    }

    @Test("A list has at most the maximum number of entries, and a bucket with one more is rejected", arguments: [(9, true), (10, false)])
    func fullBucket(maximum: Int, isRefused: Bool) async throws {
        try await SyncSite.run(limiting: { $0.maxEntries = maximum }) { site async throws in
            let path = "/v1/us/sync/digest?locale=en&bits=0&buckets=0"
            if isRefused {
                #expect(try await site.rejection(path) == "tooManyEntries")
            } else {
                #expect(try await site.json(path)["entries"]?.count == 10)
            }
        }
    }

    @Test(
        "The entries of buckets are read next to the event loop, with a limit of concurrent lists", .onOwnThread,
        arguments: ["", "&feeds=today"])
    func busyLists(feeds: String) async throws {
        try await SyncSite.run { site in
            let path = "/v1/us/sync/digest?locale=en\(feeds)&bits=0&buckets=0"
            let mayEnd = Locked(false)
            let sideWork = site.application.sideWork
            let others = (0..<8).map { _ in
                Task(executorPreference: site.loop) {
                    try await sideWork.run(for: site.loop) {
                        let end = ContinuousClock.now + .seconds(30)
                        while !mayEnd.withLock({ $0 }), ContinuousClock.now < end { sched_yield() }
                        return true
                    }
                }
            }
            defer { mayEnd.withLock { $0 = true } }
            // The other requests keep the threads of the common pool busy, which `Task.sleep` needs.
            try await Task(executorPreference: site.loop) { [loop = site.loop] in
                let end = Deadline.soon
                while sideWork.count(for: loop) < others.count {
                    try #require(Deadline.now < end)
                    try await loop.sleep(until: .after(.milliseconds(1)))
                }
            }.value
            let refused = try await site.rejection(path, .unavailable)
            mayEnd.withLock { $0 = true }
            #expect(refused == "tooManyWaiters")
            for other in others { #expect(try await other.value == true) }
            #expect(try await site.json(path)["entries"]?.count == (feeds.isEmpty ? 10 : 13))
        }
    }

    @Test("Digests are read once a second for any number of buckets")
    func foldedDigests() async throws {
        try await SyncSite.run { site in
            for query in ["locale=en", "locale=en&feeds=today"] {
                var (began, reads) = (0, 0)
                // They are read again every second, so retry if the second has changed.
                repeat {
                    site.sync.responses.removeAll()
                    site.sync.digests.removeAll()
                    began = site.sync.second
                    reads = site.reads.withLock { $0 }
                    for bits in 0...3 {
                        let digests = try await site.json("/v1/us/sync/digest?\(query)&bits=\(bits)")
                        #expect(digests["bits"]?.integer == bits && digests["entryCount"]?.integer == (query == "locale=en" ? 10 : 13))
                    }
                } while site.sync.second != began
                #expect(site.reads.withLock { $0 } == reads + 1, "\(query)")
            }
        }
    }
}
