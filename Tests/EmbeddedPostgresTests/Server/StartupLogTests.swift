import Testing

@testable import EmbeddedPostgres

@Suite struct StartupLogTests {
    @Test(
        "A known reason is explained",
        arguments: [
            ("FATAL:  could not write to file \"pg_wal/xlogtemp.12\": No space left on device", ClusterError.Code.diskFull),
            ("LOG:  could not bind Unix address \"/s/.s.PGSQL.5432\": Address already in use\nFATAL: …", .socketInUse),
            ("FATAL:  lock file \"/s/.s.PGSQL.5432.lock\" already exists", .socketInUse),
            ("FATAL:  database files are incompatible with server", .wrongMajorVersion),
            ("FATAL:  something new", .startFailed), ("", .startFailed),
        ])
    func explains(log: String, code: ClusterError.Code) throws {
        let paths = try ClusterPaths(directory: "/srv/vitrine")
        #expect(StartupLog(Array(log.utf8)).explanation(at: paths).code == code)
    }

    @Test("An unknown reason shows the last lines and the path of the log")
    func unknown() throws {
        let log = StartupLog(Array((1...9).map { "line \($0)\n" }.joined().utf8))
        let error = log.explanation(at: try ClusterPaths(directory: "/srv/vitrine"))
        #expect(error.message == "PostgreSQL did not start:\n    line 6\n    line 7\n    line 8\n    line 9")
        #expect(error.advice == "The full log is /srv/vitrine/postgres.log.")
    }
}
