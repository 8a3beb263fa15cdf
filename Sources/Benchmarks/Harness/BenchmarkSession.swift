import Host
internal import Postgres
import Settings

/// The shared state of a run's suites: the progress, the measurements of growing catalogs, and a catalog that is imported and
/// published when a suite first needs it.
final class BenchmarkSession {
    let progress: ProgressLine
    /// The table of the suite that measures growth, as far as it is complete.
    var growth: GrowthTable?
    private var cluster: BenchmarkCluster?
    private var hasCatalog = false

    init(_ progress: ProgressLine) {
        self.progress = progress
    }

    /// Returns the cluster of the shared catalog, in which a suite may create its own databases.
    func sharedCluster() throws -> BenchmarkCluster {
        if let cluster { return cluster }
        let cluster = try BenchmarkCluster()
        self.cluster = cluster
        return cluster
    }

    /// Returns a copy of the published catalog in a new database.
    func site(named name: String) throws -> MeasuredSite {
        let cluster = try sharedCluster()
        if !hasCatalog {
            progress.show("\(GeneratedItems.count) items for the suites, imported and published")
            _ = try MeasuredSite(cluster.database("catalog"), count: GeneratedItems.count, progress)
            hasCatalog = true
        }
        progress.show("a copy of the catalog")
        return MeasuredSite(copy: try cluster.database(name, copyOf: "catalog"))
    }

    /// Returns a new database with the sample catalog and its feeds.
    func sampleCatalog() throws -> DatabaseURL {
        progress.show("a database with the sample catalog")
        let url = try sharedCluster().database("sample")
        for arguments in [["db", "migrate"], ["db", "sample"]] { try BuiltProgram(arguments, url: url).run() }
        return url
    }

    /// Removes the databases.
    func close() throws {
        try cluster?.stop()
        cluster = nil
    }
}
