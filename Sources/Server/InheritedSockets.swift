internal import HTTP
internal import Host

/// Sockets that a service manager opened and passes on, so that no connection is lost when one server replaces another.
enum InheritedSockets {
    /// Takes the sockets by the convention of systemd: `LISTEN_FDS` descriptors from 3 on, for the process
    /// `LISTEN_PID`.
    static func claim(_ environment: [String: String]) throws(HostError) -> [ListeningSocket] {
        guard environment["LISTEN_PID"].flatMap({ Int($0) }) == Int(SystemInfo.processID), let text = environment["LISTEN_FDS"],
            let count = Int32(text), (1...64).contains(count)
        else { return [] }
        var sockets: [ListeningSocket] = []
        for number in 3..<(3 + count) { sockets.append(try ListeningSocket(adopting: number)) }
        return sockets
    }
}
