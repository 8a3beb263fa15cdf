import Host
internal import Postgres

extension BenchmarkSuite {
    /// The steps of the other suites on catalogs from 10,000 items up to SIZE. It has no bars, and fails if a step does. A catalog of
    /// 10 million items takes hours, most of them for its indexing, so the suite only runs if it is chosen.
    static let growth = BenchmarkSuite(name: "growth", needs: [.psql, .curl], runsByDefault: false) { session in
        let sizes = GrowthTable.sizes(upTo: GeneratedItems.requestedCount ?? 100_000)
        session.growth = GrowthTable(sizes)
        for size in sizes { try GrowingCatalog(size: size, session: session).measure() }
        return []
    }
}

/// A catalog of one size, which is measured from its file to its pages.
private struct GrowingCatalog {
    /// The bytes of disk for each item: its line, its rows and their indexes, and those that a vacuum has not removed yet.
    private static let diskBytes = 7_000

    let size: Int
    let session: BenchmarkSession

    func measure() throws {
        let cluster = try session.sharedCluster()
        let name = "growth_\(size)"
        try checkDisk()
        let url = try cluster.database(name)
        show("generation of the file")
        let start = ContinuousClock.now
        let load = try GeneratedItems.with(url, count: size) { file in
            record("the file, generated", start.duration(to: .now))
            let load = try CatalogLoad(file, of: size, url, session.progress)
            record("the file, imported", load.run.time)
            record("memory of the importer", Double(load.run.peak) / 1_048_576, "MiB")
            record("the items, in lists and searches", load.indexed)
            record("the unchanged file, imported", try load.again(session.progress).time)
            return load
        }
        let site = try MeasuredSite(publishing: url, load, session.progress)
        if let times = site.times {
            record("the first page, published", times.firstPage)
            record("all items, published", times.published)
        }
        try recordSizes(of: site)
        try searches(site)
        show("a page that is not cached")
        for row in try ColdPage.rows(site) { record("a page that is not cached", row) }
        try MemoryFolder.run { folder in try served(site, in: folder) }
        try cluster.drop(name)
    }

    private func checkDisk() throws {
        let needed = size * Self.diskBytes
        guard let free = Files.freeSpace(at: "/tmp"), free < needed else { return }
        throw BenchmarkFailure(reason: "\(size) items need \(needed / 1_000_000_000) GB in /tmp, which has \(free / 1_000_000_000)")
    }

    private func recordSizes(of site: MeasuredSite) throws {
        let (published, catalog) = (MeasuredSite.publishedTables, MeasuredSite.catalogTables)
        let rows = try (published: site.rows(of: published), catalog: site.rows(of: catalog))
        let sizes = try (published: site.size(of: published), catalog: site.size(of: catalog))
        record("rows of published documents", rows.published / 1_000, "thousand")
        record("rows of published documents ÷ rows of the catalog", rows.published / rows.catalog, "×")
        record("tables of published documents", sizes.published, "MiB")
        record("tables of published documents ÷ those of the catalog", sizes.published / sizes.catalog, "×")
        record("the database", try site.size(), "MiB")
    }

    private func searches(_ site: MeasuredSite) throws {
        let catalog = try MeasuredCatalog(site.url)
        for read in [CatalogRead.adjacentWords, .separateWords] {
            show(read.name)
            // The first calls prepare their statements and warm the caches.
            _ = try catalog.times(read, calls: 50, seed: 1)
            let times = try BenchmarkRow.Figure.milliseconds(catalog.times(read, calls: 300, seed: 2))
            record("\(read.name), 99 %", times.percentile99, times.unit)
        }
        try catalog.close()
    }

    /// Measures a server of the site: edits, a first load and changes.
    private func served(_ site: MeasuredSite, in folder: String) throws {
        show("a server")
        let server = try VitrineServer(name: "growth", in: folder, database: site.url.exposed)
        defer { server.kill() }
        try server.waitUntilReady()
        try site.waitUntilSettled()
        show("edited items")
        let item = try EditedItem(site)
        let edits = try BenchmarkRow.Figure.milliseconds(item.times(300, on: [server]))
        try item.close()
        record("an edit until it is on the page, median", edits.median, edits.unit)
        record("an edit until it is on the page, 99 %", edits.percentile99, edits.unit)
        show("a first load")
        let synced = try SyncedSite(site, count: size)
        let load = try synced.load(from: server, limit: 1_000)
        guard let cursor = load.cursor else { throw BenchmarkFailure(reason: "the response has no cursor") }
        record("a first load, until the client has received it", load.time)
        show("changes")
        for (name, row) in zip(["near", "far from"], try synced.deltas(from: server, after: cursor)) {
            record("20 changes \(name) the head", row)
        }
        try synced.close()
    }

    private func show(_ step: String) { session.progress.show("\(size) items: \(step)") }

    /// Records the median of a row, and how many times as long it is as its queries.
    private func record(_ what: String, _ row: BenchmarkRow) {
        record(what, row.measured.median, row.measured.unit)
        if let ratio = row.ratio, ratio > 0 { record("\(what) ÷ its queries", 1 / ratio, "×") }
    }

    private func record(_ what: String, _ time: Duration) { record(what, time / .seconds(1), "s") }

    /// Records a measurement, and prints it in case a later step does not end.
    private func record(_ what: String, _ value: Double, _ unit: String) {
        session.growth?.record(what, value, unit, of: size)
        session.progress.keep("\(size) items: \(what): \(BenchmarkTable.number(value)) \(unit)")
    }
}
