import Host

/// Well-behaved clients that repeat one request at a fixed rate.
struct SoakLoad {
    /// The name of the subject in the report.
    let kind: SoakKind
    let path: String
    /// The status of every response.
    var status = 200
    var headers: [String] = []
    let isHTTP2: Bool
    /// The number of requests per second.
    let requests: Int

    static let clients = 10

    /// Returns the arguments of h2load, which writes the status of each response to a file.
    func words(_ server: VitrineServer, seconds: Int, log: String) -> [String] {
        let pace = Double(requests) / Double(Self.clients)
        return ["-t1", "-c\(Self.clients)", "--rps=\(pace)", "-D\(seconds)", "-N10", "--log-file=\(log)"] + (isHTTP2 ? [] : ["--h1"])
            + headers.flatMap { ["-H", $0] } + [server.url(path)]
    }

    /// Checks each status that h2load logged, and counts the requests without a response.
    func tally(output: String, log: String) throws(BenchmarkFailure) -> SoakTally {
        guard
            let requests = output.firstMatch(of: #/([0-9]+) started, ([0-9]+) done, .* ([0-9]+) errored, ([0-9]+) timeout/#),
            let started = Int(requests.1), let done = Int(requests.2), let errored = Int(requests.3), let late = Int(requests.4)
        else { throw BenchmarkFailure(reason: "h2load for \(path): \(output)") }
        var tally = SoakTally()
        for line in log.split(separator: "\n") {
            // The columns are start, status and duration of one request.
            let columns = line.split(separator: "\t")
            guard columns.count >= 3, let status = Int(columns[1]) else { throw BenchmarkFailure(reason: "h2load logged '\(line)'") }
            tally.count(kind, status, expected: self.status, path)
        }
        // At the end each client has one request in progress.
        tally.countMissing(kind, errored + late + max(0, started - done - Self.clients), path)
        guard tally.responses > 0 else { throw BenchmarkFailure(reason: "h2load for \(path) got no response: \(output)") }
        return tally
    }
}
