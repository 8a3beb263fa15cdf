import Host
import Postgres
import SQLFiles
import TestSupport
import Testing

@testable import CLI

@Suite("The database checks of doctor")
struct DatabaseInfoTests {
    private func checks(version: Int = 150_018, lead: Duration = .milliseconds(-300)) throws -> [Check] {
        let none = MigrationStatus(try MigrationSet([], digest: { $0 }), recorded: [])
        return DatabaseInfo(version: version, clockLead: lead, status: none).checks(at: "there", program: "vitrine")
    }

    @Test("A supported server with a correct clock passes all checks")
    func sound() throws {
        #expect(try checks().map(\.status) == [.ok, .ok, .ok])
        #expect(try checks()[0].found == "PostgreSQL 15.18, there")
    }

    @Test("A server that is too old needs attention")
    func old() throws {
        #expect(
            try checks(version: 140_022)[0]
                == .attention("database", "PostgreSQL 14.22, there is too old", "Vitrine needs PostgreSQL 15 or newer."))
    }

    @Test(
        "A clock that differs needs attention",
        arguments: [(Duration.milliseconds(2_460), "2.5 s later than on"), (.seconds(-90), "90.0 s earlier than on")])
    func clock(lead: Duration, found: String) throws {
        #expect(try checks(lead: lead)[2].found == "\(found) this machine")
        #expect(try checks(lead: lead)[2].status == .attention)
    }

    @Test("The checks report the state of the schema, and a server that cannot be reached", .onOwnThread)
    func schema() throws {
        let vitrine = try Vitrine()
        let newest = try #require(SQLFiles.migrations.last?.name.dropLast(".sql".count))
        try RunningDev.with(vitrine) { dev in
            let own = try vitrine.run(["doctor", "-o", "json"])
            #expect(own.output.contains("\"found\": \"\(newest), current\""), "\(own.output)")
            let pending = try vitrine.run(["doctor"], variables: dev.create("pending"))
            #expect(pending.status == .code(1))
            #expect(
                pending.output.contains("\(SQLFiles.migrations.count) of \(SQLFiles.migrations.count) migrations pending")
                    && pending.output.contains(" db migrate."), "\(pending.output)")
            try dev.send("vitrine", "UPDATE vitrine_meta.migrations SET name = 'create_shop' WHERE name = 'create_schema'")
            let refused = try vitrine.run(["doctor"])
            #expect(refused.output.contains("0001_create_schema was applied as 0001_create_shop"), "\(refused.output)")
        }
        let gone = try vitrine.run(["doctor"], variables: ["VITRINE_DATABASE_URL": "postgresql://ada:hunter2@127.0.0.1:9/shop"])
        #expect(gone.output.contains("cannot reach postgresql://ada:•••@127.0.0.1:9/shop: ") && !gone.output.contains("hunter2"))
    }
}
