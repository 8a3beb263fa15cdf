import EventLoop
import Settings
import TestDatabase
import Testing

@testable import Postgres

@Suite(.database) struct ConnectingTests {
    private static func configuration(_ change: (String) -> String = { $0 }) throws -> PostgresConfiguration {
        var configuration = try ScratchDatabase.current.configuration
        configuration.url = try DatabaseURL(parsing: change(configuration.url.exposed))
        return configuration
    }

    @Test("A session has the limits of the configuration, and then the URL's own options")
    func sessionSettings() async throws {
        var configuration = try Self.configuration { $0 + "&application_name=shop&options=-c%20work_mem%3D1MB" }
        configuration.statementTimeout = .milliseconds(1500)
        configuration.lockTimeout = .seconds(2)
        configuration.idleInTransactionTimeout = .seconds(10)
        try await withConnection(configuration) { connection in
            let query = PostgresQuery(
                "settings",
                """
                SELECT current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('application_name'),
                    current_setting('idle_in_transaction_session_timeout'), current_setting('work_mem'), current_setting('jit')
                """)
            let rows = try await connection.rows(
                of: query, as: String.self, String.self, String.self, String.self, String.self, String.self, until: .soon)
            #expect(rows.map { [$0, $1, $2, $3, $4, $5] } == [["1500ms", "2s", "shop", "10s", "1MB", "off"]])
        }
    }

    @Test("The kernel closes a connection whose peer is silent")
    func keepalive() throws {
        var configuration = try Self.configuration()
        configuration.tcpUserTimeout = .seconds(7)
        let parameters = Dictionary(uniqueKeysWithValues: configuration.sessionParameters.map { ($0.name, $0.value) })
        #expect(parameters["tcp_user_timeout"] == "7000")
        #expect(parameters["keepalives_idle"] == "10" && parameters["keepalives_interval"] == "5" && parameters["keepalives_count"] == "3")
    }

    @Test("The server ends a session whose client is gone or idle, if the configuration has such timeouts")
    func serverTimeout() async throws {
        var configuration = try Self.configuration()
        #expect(configuration.sessionParameters.allSatisfy { !$0.value.contains("tcp_keepalives") && !$0.value.contains("idle_session") })
        configuration.serverTimeout = .seconds(2)
        configuration.idleTimeout = .milliseconds(100)
        let options = configuration.sessionParameters.first { $0.name == "options" }?.value ?? ""
        for setting in ["tcp_keepalives_idle=1", "tcp_keepalives_interval=1", "tcp_keepalives_count=1", "tcp_user_timeout=2000"] {
            #expect(options.contains("-c \(setting) "), "\(options)")
        }
        try await withConnection(configuration) { connection in
            await #expect(throws: PostgresError.self) { while true { try await Self.send(connection) } }
        }
    }

    /// Sends a query after a pause that is longer than the idle timeout of the server.
    private static func send(_ connection: PostgresConnection) async throws {
        try await connection.loop.sleep(until: .after(.milliseconds(500)))
        try await connection.run(PostgresQuery("one", "SELECT 1"), until: .soon)
    }

    @Test("Text is UTF-8 even if the URL sets another client encoding")
    func encoding() async throws {
        try await withConnection(Self.configuration { $0 + "&client_encoding=LATIN1" }) { connection in
            let row = try await connection.rows(
                of: PostgresQuery("accents", "SELECT length($1::text), $1::text", "é€"), as: Int.self, String.self, until: .soon
            ).first
            #expect(row?.0 == 2)
            #expect(row?.1 == "é€")
        }
    }

    @Test("A connection that is released without being closed leaves nothing on its event loop")
    func forgotten() async throws {
        let configuration = try Self.configuration()
        try await withLoop { loop in
            do {
                let connection = try await PostgresConnection.connect(configuration, on: loop, until: .soon)
                try await connection.run(PostgresQuery("one", "SELECT 1"), until: .soon)
                #expect(loop.registrations == (1, 0))
            }
            #expect(loop.registrations == (0, 0))
        }
    }

    @Test("Connecting to a port without a server fails immediately")
    func refused() async throws {
        let configuration = PostgresConfiguration(url: try DatabaseURL(parsing: "postgresql://localhost:1/none"))
        try await withLoop { loop in
            let error = await expectFailure(.connectFailed) { () throws(PostgresError) in
                try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            }
            #expect(error?.classification == .unavailable)
            #expect(error?.message.contains("Connection refused") == true)
        }
    }

    @Test("A client tries the second host if the first does not respond")
    func secondHost() async throws {
        let configuration = try Self.configuration { $0.replacing("host=", with: "host=/nowhere,") }
        try await withConnection(configuration) { connection in #expect(connection.isUsable) }
    }

    @Test("A refused connection keeps the SQLSTATE of the server")
    func unknownDatabase() async throws {
        let name = try ScratchDatabase.current.name
        let configuration = try Self.configuration { $0.replacing("/\(name)?", with: "/nowhere?") }
        try await withLoop { loop in
            let error = await expectFailure(.connectFailed) { () throws(PostgresError) in
                try await PostgresConnection.connect(configuration, on: loop, until: .soon)
            }
            #expect(error?.sqlState?.rawValue == "3D000")
        }
    }

    @Test(
        "No connection error contains the password",
        arguments: [
            "localhost:1/none?gssencmode=disable", "/nowhere?host=/nowhere", "none?host=localhost&port=1&sslmode=odd",
            "localhost:1/none?sslrootcert=/odd&sslmode=verify-full",
        ])
    func secrecy(location: String) async throws {
        let url = try DatabaseURL(parsing: "postgresql://somebody:hunter2@\(location)&sslpassword=hunter2")
        try await withLoop { loop in
            let error = await expectFailure(.connectFailed) { () throws(PostgresError) in
                try await PostgresConnection.connect(PostgresConfiguration(url: url), on: loop, until: .soon)
            }
            #expect(!"\(String(describing: error)) \(String(reflecting: error))".contains("hunter2"))
        }
    }

    @Test("Too many connections are reported by their SQLSTATE, and the next attempt succeeds once a slot is free")
    func tooMany() async throws {
        let configuration = try Self.configuration { $0.replacing("user=vitrine", with: "user=few") }
        try await withConnection { connection in
            try await connection.run(PostgresQuery("create", "CREATE ROLE few LOGIN CONNECTION LIMIT 1"), until: .soon)
        }
        try await withConnection(configuration) { connection in
            let error = await expectFailure(.connectFailed) { () throws(PostgresError) in
                try await PostgresConnection.connect(configuration, on: connection.loop, until: .soon)
            }
            #expect(error?.sqlState == .tooManyConnections)
            #expect(error?.classification == .unavailable)
        }
    }

    @Test("A closed connection refuses calls, and closing it twice is harmless")
    func closed() async throws {
        try await withConnection(Self.configuration()) { connection in
            connection.close()
            connection.close()
            #expect(connection.isClosed)
            await expectFailure(.connectionClosed) { () throws(PostgresError) in
                try await connection.run(PostgresQuery("one", "SELECT 1"), until: .soon)
            }
        }
    }
}
