import EventLoop
import Postgres
import TestSupport
import Testing

/// Random work on a connection, with a record of what became of the numbers that it wrote.
final class RandomWork {
    private var random: SeededRandom
    /// The next number to write, which nobody else does.
    private var next: Int
    private(set) var acknowledged: Set<Int> = []
    /// The server may have taken these or not.
    private(set) var uncertain: Set<Int> = []
    private let numbers: Range<Int>

    static let setUp = PostgresQuery("create", "CREATE TABLE IF NOT EXISTS survivors (n int8 PRIMARY KEY)")

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        numbers = Int(seed) * 1_000_000..<(Int(seed) + 1) * 1_000_000
        next = numbers.lowerBound
    }

    /// What the database has of it.
    func numbersWritten(_ connection: PostgresConnection) async throws -> Set<Int> {
        let query = PostgresQuery("survivors", "SELECT n FROM survivors WHERE n >= $1 AND n < $2", numbers.lowerBound, numbers.upperBound)
        return Set(try await connection.rows(of: query, as: Int.self, until: .soon))
    }

    /// The size of something, as often below 10 as between 1,000 and 10,000.
    func size(upTo digits: Int) -> Int {
        var bound = 1
        for _ in 0..<Int.random(in: 1...digits, using: &random) { bound *= 10 }
        return .random(in: 0..<bound, using: &random)
    }

    /// Ends with the first failure of the connection.
    func run(on connection: PostgresConnection) async throws {
        for _ in 0..<20 {
            switch Int.random(in: 0..<7, using: &random) {
            case 0: try await echo(connection)
            case 1: try await connection.run(Array(repeating: PostgresQuery("one", "SELECT 1"), count: size(upTo: 2)), until: .soon)
            case 2: try await insert(connection)
            case 3: try await copyIn(connection)
            case 4: try await stream(connection)
            case 5: try await copyOut(connection)
            default: try await giveUp(connection)
            }
            #expect(connection.isUsable)
        }
    }

    private func echo(_ connection: PostgresConnection) async throws {
        let text = String(repeating: "x", count: size(upTo: 5))
        let answer = try await connection.rows(of: PostgresQuery("echo", "SELECT $1", text), as: String.self, until: .soon)
        #expect(answer == [text])
    }

    private func insert(_ connection: PostgresConnection) async throws {
        next += 1
        do {
            try await connection.transaction(until: .soon) { connection in
                _ = try await connection.run(PostgresQuery("insert", "INSERT INTO survivors VALUES ($1)", next), until: .soon)
            }
            acknowledged.insert(next)
        } catch let error as PostgresError where error.code == .outcomeUnknown {
            uncertain.insert(next)
            throw error
        }
    }

    private func copyIn(_ connection: PostgresConnection) async throws {
        let numbers = (next + 1)...(next + 1 + size(upTo: 4))
        next = numbers.upperBound
        let lines = AsyncStream { continuation in
            for number in numbers { continuation.yield(Array("\(number)\n".utf8)) }
            continuation.finish()
        }
        do {
            let count = try await connection.copyIn("fill", "COPY survivors FROM STDIN", from: lines, until: .soon)
            #expect(count == numbers.count)
            acknowledged.formUnion(numbers)
        } catch {
            uncertain.formUnion(numbers)
            throw error
        }
    }

    private func stream(_ connection: PostgresConnection) async throws {
        let count = size(upTo: 4)
        let query = PostgresQuery("numbers", "SELECT generate_series(1::int8, $1)", count)
        try await connection.withRows(of: query, as: Int.self, until: .soon) { rows in
            var last = 0
            for try await number in rows {
                #expect(number == last + 1)
                last = number
            }
            #expect(last == count)
        }
    }

    private func copyOut(_ connection: PostgresConnection) async throws {
        let count = size(upTo: 4)
        try await connection.withCopyOut("numbers", "COPY (SELECT generate_series(1, \(count))) TO STDOUT", until: .soon) { chunks in
            var lines = 0
            for try await _ in chunks { lines += 1 }
            #expect(lines == count)
        }
    }

    /// A query that is cancelled on the server, over a connection of its own.
    private func giveUp(_ connection: PostgresConnection) async throws {
        let deadline = Deadline.after(.milliseconds(size(upTo: 2)))
        do {
            try await connection.run(PostgresQuery("sleep", "SELECT pg_sleep(0.5)"), until: deadline)
            Issue.record("half a second has passed within a tenth of one")
        } catch {
            if error.code != .deadlinePassed || connection.isClosed { throw error }
        }
    }
}
