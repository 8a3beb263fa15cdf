import Postgres
import TestSupport
import Testing

@Suite("The plan of a migration")
struct MigrationPlanTests {
    @Test("The plan has the missing migrations of a database, in order", arguments: 0...3)
    func pending(applied: Int) throws {
        let status = try Site.status(of: Site.files.prefix(applied))
        #expect(try status.plan().map(\.id.number) == Array([1, 2, 3].dropFirst(applied)))
        #expect(status.isCurrent == (applied == 3))
        #expect(status.error == nil)
    }

    @Test("A plan for any other history is refused with a reason and advice", arguments: History.allCases)
    func refused(history: History) throws {
        let status = try Site.status(of: history.database)
        #expect(throws: MigrationConflict.self) { _ = try status.plan() }
        let text = "\(try #require(status.error))\n"
        #expect(try Golden("conflict-\(history.rawValue).txt").text(recording: text) == text)
    }

    @Test("The plan is empty for a database with newer, compatible migrations, which is current")
    func newer() throws {
        let status = try Site.status(of: Site.files + [Site.file("0004_add_stock.sql", ""), Site.file("0005_add_color.sql", "")])
        #expect(status.isCurrent && status.error == nil)
        #expect(try status.plan() == [])
        #expect(status.rows.map(\.state) == [.applied, .applied, .applied, .newer, .newer])
    }

    @Test("The plan is refused if a newer migration breaks older programs, even for a program without migrations")
    func breaking() throws {
        let status = MigrationStatus(try Site.set([]), recorded: try Site.recorded([Site.file("0001_create_schema.sql", Site.breaking)]))
        #expect(!status.isCurrent)
        #expect(
            status.error?.reasons == [
                "the database has 0001_create_schema, which breaks older programs; the newest migration of this program is none"
            ])
    }

    @Test("A plan exists for exactly the prefixes of the history, and completes it")
    func property() throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let files = (1...Int.random(in: 1...6, using: &random)).map { Site.file("000\($0)_add_thing.sql", "SELECT \($0)") }
            var database = files.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            if Int.random(in: 0..<4, using: &random) == 0, let last = database.popLast() {
                database.append(Site.file(last.name, "SELECT 0"))
            }
            let isBeginning = zip(database, files).allSatisfy { $0.name == $1.name && $0.bytes == $1.bytes }
            let status = MigrationStatus(try Site.set(files), recorded: try Site.recorded(database.shuffled(using: &random)))
            #expect((status.error == nil) == isBeginning, "seed \(seed): \(database.map(\.name))")
            guard isBeginning else { continue }
            let after = try Site.recorded(database) + (try status.plan().map { try Site.recorded([files[$0.id.number - 1]])[only: 0] })
            #expect(MigrationStatus(try Site.set(files), recorded: after).isCurrent, "seed \(seed)")
        }
    }
}
