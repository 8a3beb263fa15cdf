import Foundation
import Host

/// The protocol version, the cipher and the key exchange that a server and a client negotiated.
struct NegotiatedTLS: Equatable, CustomStringConvertible {
    private let lines: [String]

    var description: String { lines.joined(separator: ", ") }

    /// Finds the lines that `openssl s_client -brief` and h2load print. Returns nil unless all of them are present.
    init?(_ text: String, labels: [String]) {
        lines = labels.compactMap { label in
            text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("\(label): ") }.map { String($0.dropFirst(label.count + 2)) }
        }
        guard lines.count == labels.count else { return nil }
    }

    /// Parses the parameters of h2load's first connection.
    static func ofLoad(_ text: String) -> NegotiatedTLS? {
        NegotiatedTLS(text, labels: ["TLS Protocol", "Cipher", "Server Temp Key"])
    }

    /// Returns the parameters of a client with OpenSSL's defaults on a port.
    static func of(port: Int, isHTTP2: Bool) throws -> NegotiatedTLS {
        let arguments = ["s_client", "-brief", "-alpn", isHTTP2 ? "h2" : "http/1.1", "-connect", "127.0.0.1:\(port)"]
        let (text, _) = try ProcessLaunch("openssl", arguments).output(within: .seconds(30))
        let labels = ["Protocol version", "Ciphersuite", "Signature type", "Server Temp Key"]
        guard let tls = NegotiatedTLS(text, labels: labels) else { throw BenchmarkFailure(reason: "openssl on port \(port): \(text)") }
        return tls
    }
}
