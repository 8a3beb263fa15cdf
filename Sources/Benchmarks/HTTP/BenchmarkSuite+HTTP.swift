extension BenchmarkSuite {
    /// The CPU time of a server for a request: Vitrine, nginx with and without `open_file_cache`, and the floor, in
    /// turn.
    ///
    /// The request rates are those of a load generator, which is often the bottleneck.
    static let http = BenchmarkSuite(name: "http", needs: httpPrograms) { session in
        try HTTPContest.run { contest in try Load.all.flatMap { try contest.rows($0, session.progress) } }
    }

    /// The programs that an HTTP contest starts.
    static let httpPrograms: [RequiredProgram] = [.nginx, .wrk, .h2load, .curl, .openssl, .taskset]
}
