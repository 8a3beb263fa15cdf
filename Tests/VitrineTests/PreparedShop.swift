import Glibc
import Host
import Synchronization
import TestSupport
import Testing

/// The cluster of a `vitrine dev` that has loaded the sample catalog and published it, made by the first test that needs one.
///
/// A copy of it starts in a third of the time that a new one takes.
enum PreparedShop {
    private static let made = Result { try make() }
    private static let leftBehind = Mutex<String?>(nil)

    /// Gives a folder one that has the sample catalog, unless it has a cluster.
    static func copy(to folder: String) throws {
        guard FileStatus(ofLink: cluster(in: folder)) == nil else { return }
        try Files.makeDirectory(cluster(in: folder))
        try copy(from: made.get(), to: cluster(in: folder))
    }

    private static func cluster(in folder: String) -> String { "\(folder)/.vitrine/postgres" }

    private static func copy(from source: String, to target: String) throws {
        let (text, status) = try Program("cp", ["--archive", "--no-target-directory", source, target]).output(within: .seconds(60))
        try #require(status.isSuccess, "\(text)")
    }

    private static func make() throws -> String {
        let vitrine = try Vitrine()
        try RunningDev.withNew(vitrine) { _ in
            // A whole catalog is put into the search behind its load, and is published by then.
            try vitrine.wait { try !vitrine.run(["item", "search", "harbor", "-o", "name"]).output.isEmpty }
        }
        // What the tests do to it survives the ends of processes, and need not survive that of the machine.
        let file = "\(cluster(in: vitrine.folder))/data/postgresql.auto.conf"
        try Descriptor(opening: file, .append).write(Array("fsync = off\n".utf8), subject: file)
        let copy = "\(TemporaryFolder.bestPlace)/vitrine-prepared-\(Machine.processID)-0"
        leftBehind.withLock { $0 = copy }
        atexit {
            guard let folder = PreparedShop.leftBehind.withLock({ $0 }) else { return }
            do { try TemporaryFolder.remove(folder) } catch { print("\(folder) stays: \(error)") }
        }
        try self.copy(from: cluster(in: vitrine.folder), to: copy)
        return copy
    }
}
