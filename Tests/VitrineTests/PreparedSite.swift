import Host
import TestSupport
import Testing

/// The cluster of a `vitrine dev` that has loaded the sample catalog and published it.
///
/// A copy of it starts in a third of the time that a new one takes.
enum PreparedSite {
    /// Gives a folder one, unless it has a cluster.
    static func copy(to folder: String) throws {
        guard FileStatus(ofLink: cluster(in: folder)) == nil else { return }
        try Files.makeDirectory(cluster(in: folder))
        try PreparedFolder.copy("shop", to: cluster(in: folder), make: make)
    }

    private static func cluster(in folder: String) -> String { "\(folder)/.vitrine/postgres" }

    private static func make(_ keep: (String) throws -> Void) throws {
        let vitrine = try Vitrine()
        try RunningDev.withNew(vitrine) { _ in
            // A whole catalog is put into the search behind its load, and is published by then.
            try vitrine.wait { try !vitrine.run(["item", "search", "harbor", "-o", "name"]).output.isEmpty }
        }
        // What the tests do to it survives the ends of processes, and need not survive that of the machine.
        let file = "\(cluster(in: vitrine.folder))/data/postgresql.auto.conf"
        try Descriptor(opening: file, .append).write(Array("fsync = off\n".utf8), subject: file)
        // A server that did not end in order leaves it.
        try #require(FileStatus(ofLink: "\(cluster(in: vitrine.folder))/data/postmaster.pid") == nil)
        try keep(cluster(in: vitrine.folder))
    }
}
