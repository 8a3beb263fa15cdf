import Glibc
import Host
import TestSupport

/// A socket where a server could listen: the kernel takes connections, and nobody ever reads from them.
struct SilentListener {
    private let number: Int32
    private let directory: String

    init(directory: String) throws {
        try Files.makeDirectory(directory)
        self.directory = directory
        number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            for (place, byte) in "\(directory)/.s.PGSQL.5432".utf8.enumerated() { path[place] = byte }
        }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        guard status == 0, listen(number, 8) == 0 else { throw HostError(errnoOf: "listen in", directory) }
    }

    func close() {
        _ = Glibc.close(number)
        do { try TemporaryFolder.remove(directory) } catch { print("\(directory) stays: \(error)") }
    }
}

/// The descriptors of this process.
func openDescriptors() -> Int {
    do { return try Files.names(in: "/proc/self/fd").count } catch { return -1 }
}
