import Host

extension BenchmarkSuite {
    /// Each read of clients and of the composer among 10,000 items and among many, on one server and in turn.
    static let reads = BenchmarkSuite(name: "reads", needs: [.psql]) { session in
        let sites = try [
            MeasuredSite(session.sharedCluster().database("few"), count: fewer, session.progress), session.site(named: "many"),
        ]
        session.progress.show("tags and sales")
        for site in sites { try MeasuredFacts.add(to: site.url) }
        let (few, many) = (try MeasuredCatalog(sites[0].url), try MeasuredCatalog(sites[1].url))
        let rows = try (CatalogRead.ofClients + CatalogRead.ofRules).flatMap { read in
            session.progress.show(read.name)
            // The first calls prepare their statements and warm the caches.
            for catalog in [few, many] { _ = try catalog.times(read, calls: 50, seed: 1) }
            let times = try (0..<rounds).map { round in
                let seed = UInt64(2 + round)
                return (few: try few.times(read, calls: calls, seed: seed), many: try many.times(read, calls: calls, seed: seed))
            }
            return try [("half of the calls", 50, 3), ("99 % of the calls", 99, read.maxGrowth)].map { name, percent, maxGrowth in
                try BenchmarkRow(
                    what: "reads: \(read.name), \(name), of \(GeneratedItems.count) items",
                    measured: .milliseconds(times.compactMap { $0.many.percentile(percent) }),
                    against: ("of \(fewer)", .milliseconds(times.compactMap { $0.few.percentile(percent) })),
                    bar: .ratioAtLeast(1 / maxGrowth))
            }
        }
        for catalog in [few, many] { try catalog.close() }
        return rows
    }

    private static let fewer = 10_000
    private static let rounds = 3
    private static let calls = 100
}
