import Foundation
import Host

/// Well-behaved clients that ask for one path again and again, at a pace.
struct SoakLoad {
    let path: String
    /// The first digit of the status that every answer has.
    let status: Int
    let isHTTP2: Bool
    /// Each second.
    let requests: Int

    struct Outcome {
        var answered = 0
        /// Answers that were wrong, and requests that had none.
        var failed = 0
    }

    static let clients = 10

    /// What h2load is told to do.
    func words(_ server: VitrineServer, seconds: Int) -> [String] {
        let pace = Double(requests) / Double(Self.clients)
        return ["-t1", "-c\(Self.clients)", "--rps=\(pace)", "-D\(seconds)", "-N10"] + (isHTTP2 ? [] : ["--h1"]) + [server.url(path)]
    }

    /// From what h2load has printed.
    func outcome(_ text: String) throws -> Outcome {
        guard
            let requests = text.firstMatch(of: #/([0-9]+) started, ([0-9]+) done, .* ([0-9]+) errored, ([0-9]+) timeout/#),
            let codes = text.firstMatch(of: #/([0-9]+) 2xx, ([0-9]+) 3xx, ([0-9]+) 4xx, ([0-9]+) 5xx/#),
            let started = Int(requests.1), let done = Int(requests.2), let errored = Int(requests.3), let late = Int(requests.4)
        else { throw BenchmarkFailure(reason: "h2load for \(path): \(text)") }
        let counts = [codes.1, codes.2, codes.3, codes.4].map { Int($0) ?? 0 }
        let answered = counts[status - 2]
        // At its end each client has one request under way.
        let unanswered = max(0, started - done - Self.clients)
        return Outcome(answered: answered, failed: counts.reduce(0, +) - answered + errored + late + unanswered)
    }
}
