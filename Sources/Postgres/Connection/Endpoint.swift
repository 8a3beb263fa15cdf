/// One address where a server may be found.
struct Endpoint: Sendable, Equatable {
    /// A name, an address or a directory of sockets; empty for libpq's own choice. TLS compares a certificate with it.
    var host: String
    /// What the name was resolved to; nil for sockets.
    var address: String?
    var port: String

    /// The endpoints that a comma-separated list of hosts stands for, as libpq reads it.
    static func list(host: String?, address: String?, port: String?) -> [Endpoint] {
        let hosts = split(host)
        let addresses = split(address)
        let ports = split(port)
        return (0..<max(hosts.count, addresses.count, 1)).map { place in
            let address = place < addresses.count && !addresses[place].isEmpty ? addresses[place] : nil
            let port = ports.count == 1 ? ports[0] : place < ports.count ? ports[place] : ""
            return Endpoint(host: place < hosts.count ? hosts[place] : "", address: address, port: port)
        }
    }

    /// Whether its name is one to look up: no socket, and no address given beside it.
    var needsResolution: Bool {
        address == nil && !host.isEmpty && host.utf8.first != UInt8(ascii: "/") && host.utf8.first != UInt8(ascii: "@")
    }

    private static func split(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
