extension BenchmarkSuite {
    /// The CPU time of a server for a request: Vitrine, nginx with and without `open_file_cache`, and the floor, in
    /// turn. First with generated pages of several sizes, then with the sample catalog on the shipped program.
    ///
    /// The request rates are those of a load generator, which is often the bottleneck.
    static let http = BenchmarkSuite(name: "http", needs: httpPrograms + [.psql]) { session in
        let generated = try HTTPContest.run { contest in try generatedLoads.flatMap { try contest.rows($0, session.progress) } }
        return try generated + SamplePages.rows(session)
    }

    /// The latency of a page at a constant rate, while it changes each second.
    static let latency = BenchmarkSuite(name: "latency", needs: httpPrograms + [.psql, .chrt]) { try SamplePages.latencyRows($0) }

    /// The programs that an HTTP contest starts.
    static let httpPrograms: [RequiredProgram] = [.nginx, .wrk, .h2load, .curl, .openssl, .taskset]

    private static let generatedLoads = [
        Load(name: "2 KB", path: "/v1/us/feeds/2k", kind: .http1(isEncrypted: false), bar: 1.5),
        Load(name: "12 KB", path: "/v1/us/feeds/12k", kind: .http1(isEncrypted: false), bar: 1.2),
        Load(name: "60 KB", path: "/v1/us/feeds/60k", kind: .http1(isEncrypted: false), bar: 1),
        Load(name: "304", path: "/v1/us/feeds/2k", kind: .unchanged, bar: 1.5),
        Load(name: "2 KB, 8 pipelined", path: "/v1/us/feeds/2k", kind: .pipelined(8), bar: 3),
    ]
}
