import Host

/// The state of a running server as recorded in its `postmaster.pid`.
struct PostmasterFile: Equatable {
    let process: Int32
    let dataDirectory: String
    let socketDirectory: String
    let isReady: Bool
    let isStopping: Bool

    /// Returns nil if the text is not such a file, for example while it is being written.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        guard lines.count >= 5, let process = Int32(lines[0]), process > 1 else { return nil }
        self.process = process
        dataDirectory = lines[1]
        socketDirectory = lines[4]
        let status = lines.count > 7 ? lines[7].utf8.prefix { $0 != UInt8(ascii: " ") } : "".utf8[...]
        isReady = status.elementsEqual("ready".utf8)
        isStopping = status.elementsEqual("stopping".utf8)
    }

    init?(at path: String) {
        do throws(HostError) { self.init(try Files.read(path, limit: 64 * 1024)) } catch { return nil }
    }

    enum Owner: Equatable {
        /// The process has ended. The server itself handles the leftover file.
        case gone
        /// Another program now has the process ID, and the server would take it for a server.
        case stranger
        /// The process is the server of this folder.
        case server
        /// The process is a PostgreSQL server of an unknown folder.
        case unclear
    }

    /// Checks the process itself, because process IDs are reused, and start again after a reboot.
    func owner(_ running: RunningProcess?, dataDirectory: String) -> Owner {
        guard let running else { return .gone }
        guard ["postgres", "postmaster"].contains(running.name) else { return .stranger }
        if running.workingDirectory == dataDirectory || running.arguments.contains(dataDirectory) { return .server }
        return running.workingDirectory == nil ? .unclear : .stranger
    }
}
