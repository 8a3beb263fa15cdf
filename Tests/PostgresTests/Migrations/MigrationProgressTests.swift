import TestSupport
import Testing

@testable import Postgres

@Suite("A run of migrations")
struct MigrationProgressTests {
    private let first = MigrationID(number: 9, name: "create_items")
    private let last = MigrationID(number: 18, name: "add_prices")

    @Test("A run reports its progress")
    func lines() throws {
        let progress: [MigrationProgress] = [
            .waitingForAnother, .applying(first, .init(1, of: 10)), .applied(first, .init(1, of: 10), took: .milliseconds(12)),
            .applying(last, .init(10, of: 10)), .applied(last, .init(10, of: 10), took: .seconds(125)), .failed(last, .init(10, of: 10)),
            .interrupted(last, .init(10, of: 10)), .finished(10, latest: last), .finished(1, latest: first), .finished(0, latest: last),
            .finished(0, latest: nil),
        ]
        let text = progress.map { "\($0)\n" }.joined()
        #expect(try Golden("progress.txt").text(recording: text) == text)
    }

    @Test("The program has all statements of a run, with their parameters")
    func statements() throws {
        #expect(MigrationStatements.setTimeouts.parameters == 1)
        #expect(MigrationStatements.record.parameters == 4)
        let others = [
            MigrationStatements.tryLock, MigrationStatements.lock, MigrationStatements.unlock, MigrationStatements.hasBookkeeping,
            MigrationStatements.recorded,
            MigrationStatements.setSearchPath,
        ]
        #expect((others + MigrationStatements.createBookkeeping).allSatisfy { $0.parameters == 0 })
    }
}
