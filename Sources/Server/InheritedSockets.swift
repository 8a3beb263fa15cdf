internal import HTTP
internal import Host

/// Sockets that a service manager has opened and hands over, so that no connection is lost while one server follows another.
enum InheritedSockets {
    /// By the convention of systemd: `LISTEN_FDS` of them from 3 on, meant for the process `LISTEN_PID`.
    static func claim(_ environment: [String: String]) throws(HostError) -> [ListeningSocket] {
        guard environment["LISTEN_PID"].flatMap({ Int($0) }) == Int(SystemInfo.processID), let text = environment["LISTEN_FDS"],
            let count = Int32(text), (1...64).contains(count)
        else { return [] }
        var sockets: [ListeningSocket] = []
        for number in 3..<(3 + count) { sockets.append(try ListeningSocket(adopting: number)) }
        return sockets
    }
}
