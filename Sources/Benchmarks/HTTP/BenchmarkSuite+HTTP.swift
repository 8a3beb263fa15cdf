extension BenchmarkSuite {
    /// How long a server is on its core for a request: ours, nginx with and without `open_file_cache`, and the floor, turn by turn.
    ///
    /// The rates next to it are those of a load generator that is often the slower side.
    static let http = BenchmarkSuite(name: "http", needs: httpPrograms) { session in
        try HTTPContest.run { contest in try Load.all.flatMap { try contest.rows($0, session.progress) } }
    }

    /// The programs that an HTTP contest starts.
    static let httpPrograms: [RequiredProgram] = [.nginx, .wrk, .h2load, .curl, .openssl, .taskset]
}
