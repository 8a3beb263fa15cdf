/// The error of a server that sent other responses than before.
struct ChangedResponses: Error, CustomStringConvertible {
    let description: String

    /// Measures a round, and repeats it up to twice if the server published or compressed its page again. `settle`
    /// waits for the expected response.
    static func repeating<Result>(
        _ progress: ProgressLine, _ measure: () throws -> Result, settle: () throws -> Void = {}
    ) throws -> Result {
        for _ in 0..<2 {
            do { return try measure() } catch let change as ChangedResponses {
                progress.show("\(change); the round is repeated")
                try settle()
            }
        }
        return try measure()
    }
}

/// The sums that a load generator prints at its end.
struct LoadOutcome: Equatable {
    /// The number of complete responses.
    let requests: Int
    /// Requests per second.
    let rate: Double
    /// The bytes that wrk received, or the bytes of the bodies that h2load received.
    let bytes: Int
    /// The TLS parameters that h2load negotiated. nil if the output is that of wrk, which does not print them.
    let tls: NegotiatedTLS?

    /// Parses the output of wrk. Returns nil if a socket failed or a status was an error.
    init?(ofWrk text: String) {
        guard !text.contains("Non-2xx"), !text.contains("Socket errors"),
            let sums = text.firstMatch(of: #/sums: ([0-9]+) responses, ([0-9]+) bytes/#),
            let requests = Int(sums.1), let bytes = Int(sums.2),
            let rate = text.firstMatch(of: #/Requests/sec: +([0-9.]+)/#).flatMap({ Double($0.1) })
        else { return nil }
        self.init(requests: requests, rate: rate, bytes: bytes, tls: nil)
    }

    /// Parses the output of h2load. Returns nil if a request failed, a status was not 2xx or the cipher is missing.
    init?(ofH2load text: String) {
        guard let sums = text.firstMatch(of: #/([0-9]+) done, ([0-9]+) succeeded, 0 failed, 0 errored, 0 timeout/#),
            text.contains(#/status codes: [0-9]+ 2xx, 0 3xx, 0 4xx, 0 5xx/#),
            let bytes = text.firstMatch(of: #/\(space savings [0-9.]+%\), [^(]*\(([0-9]+)\) data/#).flatMap({ Int($0.1) }),
            let requests = Int(sums.2), let rate = text.firstMatch(of: #/([0-9.]+) req/s/#).flatMap({ Double($0.1) }),
            let tls = NegotiatedTLS.ofLoad(text)
        else { return nil }
        self.init(requests: requests, rate: rate, bytes: bytes, tls: tls)
    }

    private init(requests: Int, rate: Double, bytes: Int, tls: NegotiatedTLS?) {
        self.requests = requests
        self.rate = rate
        self.bytes = bytes
        self.tls = tls
    }

    /// Throws if the responses did not have that size, except for those in progress at the start and at the end.
    func check(size: Int, underWay: Int, _ what: String) throws(ChangedResponses) {
        guard abs(bytes - requests * size) <= 2 * underWay * size else {
            throw ChangedResponses(description: "\(what): \(requests) responses of \(size) bytes cannot be \(bytes) bytes")
        }
    }
}
