import EventLoop
import Postgres
import TestDatabase
import TestSupport
import Testing

/// A random series of calls on connections.
final class RandomWork {
    /// The numbers that the work wrote, by their outcome.
    struct Record: Sendable {
        let settings: DrawnSettings
        /// The range of numbers that only this work writes.
        let numbers: Range<Int>
        var acknowledged: Set<Int> = []
        /// The numbers that the server may or may not have stored.
        var uncertain: Set<Int> = []

        /// Expects the database to have the acknowledged numbers and no refused ones.
        func check(_ connection: PostgresConnection) async throws {
            let query = PostgresQuery(
                "survivors", "SELECT n FROM survivors WHERE n >= $1 AND n < $2", numbers.lowerBound, numbers.upperBound)
            let written: [Int] = try await connection.rows(of: query, as: Int.self, until: .soon)
            #expect(acknowledged.subtracting(written).isEmpty, "\(settings)")
            #expect(Set(written).subtracting(acknowledged).subtracting(uncertain).isEmpty, "\(settings)")
        }
    }

    private(set) var record: Record
    private var random: SeededRandom
    /// The last number that this work wrote.
    private var last: Int
    private let timeout: Duration

    static let setUp = PostgresQuery("create", "CREATE TABLE IF NOT EXISTS survivors (n int8 PRIMARY KEY)")
    /// The error codes with which the work may end.
    static let expectedCodes: Set<PostgresError.Code?> = [.connectFailed, .connectionLost, .outcomeUnknown, .deadlinePassed]

    /// Creates the work of a worker; `timeout` limits each wait for a response.
    init(_ settings: DrawnSettings, worker: Int = 0, timeout: Duration = .seconds(20)) {
        let block = Int(truncatingIfNeeded: settings.seed % 1_000_000_000) * 1_000 + worker
        record = Record(settings: settings, numbers: block * 1_000_000..<(block + 1) * 1_000_000)
        random = SeededRandom(seed: settings.seed &* 1_000 &+ UInt64(worker))
        last = record.numbers.lowerBound
        self.timeout = timeout
    }

    private var deadline: Deadline { .after(timeout) }

    /// Returns a random size below a power of ten, with each number of digits equally likely.
    func size(upTo digits: Int) -> Int {
        var bound = 1
        for _ in 0..<Int.random(in: 1...digits, using: &random) { bound *= 10 }
        return .random(in: 0..<bound, using: &random)
    }

    /// Runs random calls. Ends with the first failure of the connection.
    func run(on connection: PostgresConnection) async throws {
        for _ in 0..<20 {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try await echo(connection)
            case 1: try await connection.run(Array(repeating: PostgresQuery("one", "SELECT 1"), count: size(upTo: 2)), until: deadline)
            case 2: try await insert(connection)
            case 3: try await copyIn(connection)
            default: try await abandon(connection)
            }
            // The network may close it just after a response.
            guard connection.isUsable else { return }
        }
    }

    private func echo(_ connection: PostgresConnection) async throws {
        let text = String(repeating: "x", count: size(upTo: 5))
        let response = try await connection.rows(of: PostgresQuery("echo", "SELECT $1", text), as: String.self, until: deadline)
        #expect(response == [text])
    }

    private func insert(_ connection: PostgresConnection) async throws {
        last += 1
        do {
            try await connection.transaction(until: deadline) { connection in
                _ = try await connection.run(PostgresQuery("insert", "INSERT INTO survivors VALUES ($1)", last), until: deadline)
            }
            record.acknowledged.insert(last)
        } catch let error as PostgresError where error.code == .outcomeUnknown {
            record.uncertain.insert(last)
            throw error
        }
    }

    private func copyIn(_ connection: PostgresConnection) async throws {
        let numbers = (last + 1)...(last + 1 + size(upTo: 4))
        last = numbers.upperBound
        let lines = AsyncStream { continuation in
            for number in numbers { continuation.yield(Array("\(number)\n".utf8)) }
            continuation.finish()
        }
        do {
            let count = try await connection.copyIn("fill", "COPY survivors FROM STDIN", from: lines, until: deadline)
            #expect(count == numbers.count)
            record.acknowledged.formUnion(numbers)
        } catch {
            record.uncertain.formUnion(numbers)
            throw error
        }
    }

    /// Runs a query that is canceled on the server, over a separate connection.
    private func abandon(_ connection: PostgresConnection) async throws {
        let time = Deadline.after(.milliseconds(size(upTo: 2)))
        do {
            try await connection.run(PostgresQuery("sleep", "SELECT pg_sleep(60)"), until: time)
            Issue.record("a minute has passed within a tenth of a second")
        } catch {
            if error.code != .deadlinePassed || connection.isClosed { throw error }
        }
    }
}
