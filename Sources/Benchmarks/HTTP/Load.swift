import Foundation
import Host

/// What a load generator on the second core asks a server for, over 64 connections that stay.
struct Load {
    enum Kind {
        case http1(isEncrypted: Bool)
        /// So many requests at once on each connection.
        case pipelined(Int)
        /// Asks for what it has already.
        case unchanged
        case http2(streams: Int)
    }

    struct Outcome {
        let requests: Int
        let rate: Double
    }

    let name: String
    let path: String
    var headers: [String] = []
    let kind: Kind
    /// How many times as long on a core nginx may at least take.
    let bar: Double

    static let all = [
        Load(name: "2 KB", path: "/v1/us/feeds/2k", kind: .http1(isEncrypted: false), bar: 1.5),
        Load(name: "12 KB", path: "/v1/us/feeds/12k", kind: .http1(isEncrypted: false), bar: 1.2),
        Load(name: "60 KB", path: "/v1/us/feeds/60k", kind: .http1(isEncrypted: false), bar: 1),
        Load(name: "304", path: "/v1/us/feeds/2k", kind: .unchanged, bar: 1.5),
        Load(name: "2 KB, 8 pipelined", path: "/v1/us/feeds/2k", kind: .pipelined(8), bar: 3),
        Load(name: "2 KB, TLS", path: "/v1/us/feeds/2k", kind: .http1(isEncrypted: true), bar: 1),
        Load(name: "2 KB, h2, 1 stream", path: "/v1/us/feeds/2k", kind: .http2(streams: 1), bar: 1),
        Load(name: "2 KB, h2, 8 streams", path: "/v1/us/feeds/2k", kind: .http2(streams: 8), bar: 1),
    ]

    /// Asks for a while; throws where not every answer was a good one.
    func run(_ server: MeasuredServer, seconds: Int) throws -> Outcome {
        let words: [String]
        switch kind {
        case .http1(let isEncrypted): words = wrk(seconds) + [server.url(path, isEncrypted: isEncrypted)]
        case .unchanged:
            let url = server.url(path, isEncrypted: false)
            words = wrk(seconds) + ["-H", "If-None-Match: \(try tag(url))", url]
        case .pipelined(let count):
            let script = "/dev/shm/vitrine-bench-\(Machine.processID).lua"
            try Data(
                "init = function() request_ = string.rep(wrk.format(), \(count)) end\nrequest = function() return request_ end\n".utf8
            ).write(to: URL(fileURLWithPath: script))
            words = wrk(seconds) + ["-s", script, server.url(path, isEncrypted: false)]
        case .http2(let streams):
            words = ["h2load", "-t1", "-c64", "-m\(streams)", "-D\(seconds)"] + fields + [server.url(path, isEncrypted: true)]
        }
        let (text, status) = try Program("taskset", ["-c", "1"] + words).output(within: .seconds(seconds + 30))
        guard status.isSuccess, let outcome = Outcome(text) else {
            throw BenchmarkFailure(reason: "\(words.joined(separator: " ")) against \(server.name): \(text)")
        }
        return outcome
    }

    private func wrk(_ seconds: Int) -> [String] { ["wrk", "-t1", "-c64", "-d\(seconds)s"] + fields }

    private var fields: [String] { headers.flatMap { ["-H", $0] } }

    private func tag(_ url: String) throws -> String {
        let (text, _) = try Program("curl", ["-sI"] + fields + [url]).output()
        guard let line = text.split(whereSeparator: \.isNewline).first(where: { $0.lowercased().hasPrefix("etag: ") }) else {
            throw BenchmarkFailure(reason: "no tag from \(url): \(text)")
        }
        return String(line.dropFirst(6))
    }
}

extension Load.Outcome {
    /// From what wrk or h2load print; nil where an answer was not what it should be.
    init?(_ text: String) {
        func number(_ pattern: String) -> Double? {
            guard let range = text.range(of: pattern, options: .regularExpression) else { return nil }
            return Double(text[range].drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." })
        }
        guard !text.contains("Non-2xx"), !text.contains("Socket errors") else { return nil }
        if let total = number("[0-9]+ requests in"), let rate = number("Requests/sec: +[0-9.]+") {
            self.init(requests: Int(total), rate: rate)
        } else if let total = number("[0-9]+ succeeded"), let rate = number("[0-9.]+ req/s"), number("[0-9]+ failed") == 0 {
            self.init(requests: Int(total), rate: rate)
        } else {
            return nil
        }
    }
}
