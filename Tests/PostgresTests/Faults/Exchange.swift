import EventLoop
import Postgres
import Testing

/// A call that is in progress on a connection when a fault occurs.
enum Exchange: String, CaseIterable, CustomTestStringConvertible {
    case query, batch, copyIn, commit

    var testDescription: String { rawValue }

    private static let sleep = PostgresQuery("sleep", "SELECT pg_sleep(60)")

    /// Starts the call and runs `fault` in the middle of it. Without a fault, the call would continue.
    func run(
        on connection: PostgresConnection, of network: SpoiledNetwork, until deadline: Deadline, fault: @escaping @Sendable () async -> Void
    ) async throws {
        switch self {
        case .query: try await network.whenAsleep(fault) { try await connection.run(Self.sleep, until: deadline) }
        case .batch:
            let batch = [PostgresQuery("one", "SELECT 1"), Self.sleep, PostgresQuery("two", "SELECT 2")]
            try await network.whenAsleep(fault) { try await connection.run(batch, until: deadline) }
        case .commit: try await network.whenAsleep(fault) { try await Self.commitSlowly(connection, until: deadline) }
        case .copyIn:
            try await connection.run(PostgresQuery("create", "CREATE TEMPORARY TABLE goods (name text)"), until: deadline)
            _ = try await connection.copyIn(
                "endless", "COPY goods FROM STDIN", from: EndlessLines(loop: connection.loop, fault: fault), until: deadline)
        }
    }

    /// Runs a transaction whose COMMIT takes a minute.
    private static func commitSlowly(_ connection: PostgresConnection, until deadline: Deadline) async throws {
        let setUp = [
            "CREATE TEMPORARY TABLE goods (name text)",
            """
            CREATE FUNCTION pg_temp.pause() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$
            """,
            """
            CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON goods DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION pg_temp.pause()
            """,
        ]
        try await connection.run(setUp.map { PostgresQuery("create", $0, isPrepared: false) }, until: deadline)
        _ = try await connection.transaction(until: deadline) { connection in
            try await connection.run(PostgresQuery("insert", "INSERT INTO goods VALUES ('slow')"), until: deadline)
        }
    }
}

/// An endless source of lines for a COPY, with a fault among them.
private struct EndlessLines: AsyncSequence, AsyncIteratorProtocol {
    let loop: EventLoop
    let fault: @Sendable () async -> Void
    private var count = 0

    init(loop: EventLoop, fault: @escaping @Sendable () async -> Void) {
        self.loop = loop
        self.fault = fault
    }

    func makeAsyncIterator() -> EndlessLines { self }

    mutating func next() async throws -> [UInt8]? {
        count += 1
        if count == 10 { await fault() }
        // Slower than any network, so that the client never waits for the socket.
        if count > 10 { try await loop.sleep(until: .after(.milliseconds(1))) }
        return Array("line \(count)\n".utf8)
    }
}
