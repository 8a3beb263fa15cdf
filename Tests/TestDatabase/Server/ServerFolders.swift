import EmbeddedPostgres
import Host
import TestSupport

/// The folders of test servers.
package enum ServerFolders {
    private static let prefix = "vitrine-tests-"
    private static let count = Locked(0)

    /// Returns the folder of a new server of this process.
    static func next(in directory: String) -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return path(in: directory, process: SystemInfo.processID, number)
    }

    package static func path(in directory: String, process: Int32, _ number: Int) -> String { "\(directory)/\(prefix)\(process)-\(number)" }

    static func removeLeftovers() {
        for directory in TemporaryFolder.directories { removeLeftovers(in: directory) }
    }

    /// Stops the servers of killed test runs, and removes their folders.
    package static func removeLeftovers(in directory: String) {
        do {
            for name in try Files.names(in: directory) where name.hasPrefix(prefix) {
                let process = name.dropFirst(prefix.count).split(separator: "-").first.flatMap { Int32($0) }
                guard let process, RunningProcess(id: process) == nil else { continue }
                try remove("\(directory)/\(name)")
            }
        } catch {
            print("the servers of earlier tests in \(directory) stay: \(error)")
        }
    }

    private static func remove(_ folder: String) throws {
        // The lock is held by the user of the folder, even if its process is not visible here.
        do throws(HostError) { _ = try FileLock(path: "\(folder)/vitrine.lock") } catch { return }
        if case .running(let process, _) = try ClusterState.observe(ClusterRequest(directory: folder)).state {
            try RunningProcess.send(.quit, to: process)
            let end = ContinuousClock.now + .seconds(10)
            while RunningProcess(id: process) != nil, ContinuousClock.now < end { _ = Signal.next(of: [], within: .milliseconds(10)) }
        }
        try TemporaryFolder.remove(folder)
    }
}
