import Host
import TestSupport
import Testing

/// The cluster of a `vitrine dev` that has loaded and published the sample catalog.
///
/// A copy of it starts in a third of the time of a new one.
enum PreparedSite {
    /// Copies the cluster to a folder, unless it has one.
    static func copy(to folder: String) throws {
        guard FileStatus(ofLink: cluster(in: folder)) == nil else { return }
        try Files.makeDirectory(cluster(in: folder))
        try PreparedFolder.copy("shop", to: cluster(in: folder), make: make)
    }

    private static func cluster(in folder: String) -> String { "\(folder)/.vitrine/postgres" }

    private static func make(_ keep: (String) throws -> Void) throws {
        let vitrine = try Vitrine()
        try RunningDev.withNew(vitrine) { _ in
            // The index is updated after a whole catalog is loaded, and then the catalog is published.
            try vitrine.wait { try !vitrine.run(["item", "search", "harbor", "-o", "name"]).output.isEmpty }
        }
        // The data must survive the ends of processes, but not a crash of the machine.
        let file = "\(cluster(in: vitrine.folder))/data/postgresql.auto.conf"
        try Descriptor(opening: file, .append).write(Array("fsync = off\n".utf8), subject: file)
        // A server without an orderly shutdown leaves this file.
        try #require(FileStatus(ofLink: "\(cluster(in: vitrine.folder))/data/postmaster.pid") == nil)
        try keep(cluster(in: vitrine.folder))
    }
}
