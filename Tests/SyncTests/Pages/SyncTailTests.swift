import Feeds
import Items
import JSON
import Publishing
import TestSupport
import Testing
import Values

@testable import Sync

@Suite("The tail of a scope")
struct SyncTailTests {
    private static let scope = SyncScope.testing()
    private static let storefront = storefront(in: "UTC")
    private static let epochs = [EpochHistory.Epoch(EpochID(nonce: 1), start: 0), .init(EpochID(nonce: 2), start: 40)]

    private static func storefront(in timeZone: String) -> Storefront {
        Storefront(key: "us", currency: "USD", timeZone: timeZone, locales: [.english], defaultLocale: .english)
    }

    /// The published entities of a scope, and what a page of them reads.
    private struct Database {
        var head = 40
        var isComplete = true
        var floor = 0
        var epochs = SyncTailTests.epochs
        var storefrontVersion = 0
        var storefront = SyncTailTests.storefront
        /// The number of versions after which a reading ends.
        var passedRows = 5_000
        private(set) var rows: [String: SyncRow] = [:]

        /// Publishes an entity of that many bytes; nil deletes it.
        mutating func publish(_ id: String, bytes: Int? = 10) {
            head += 1
            let content = bytes.map { SyncRow.Content(hash: "\(head)", document: Array(repeating: UInt8(ascii: "x"), count: $0)) }
            rows[id] = SyncRow(kind: .item, id: id, version: head, ownVersion: head, content: content)
        }

        /// Publishes entities of other scopes only.
        mutating func skip(_ count: Int) { head += count }

        func read(after cursor: SyncCursor, within budget: SyncPage.Budget = .init()) -> SyncReader.Reading {
            let syncHead = SyncHead(
                version: head, floor: floor, isComplete: isComplete, history: EpochHistory(epochs), storefrontVersion: storefrontVersion)
            let end = min(head, cursor.version + passedRows)
            var found = rows.values.filter { row in
                row.version > cursor.version && row.version <= end && (row.content != nil || row.version > cursor.base)
            }.sorted { $0.version < $1.version }.prefix(budget.changes + 1)
            var (stored, last) = (0, end)
            for (index, row) in found.enumerated() {
                if stored >= SyncReader.storedBytes(of: budget) {
                    (found, last) = (found.prefix(index), row.version - 1)
                    break
                }
                stored += SyncReader.maxStoredBytes(of: row)
            }
            return SyncReader.Reading(head: syncHead, rows: Array(found), end: last, storefront: storefront)
        }

        func page(after cursor: SyncCursor, within budget: SyncPage.Budget = .init()) throws -> SyncPage {
            let reading = read(after: cursor, within: budget)
            return try SyncPage(
                reading.rows, upTo: reading.end, after: cursor, at: reading.head, within: budget
            ) { row, json in json.rendered(SyncTailTests.bytes(of: row)) }
        }

        func tail(after version: Int) throws -> SyncTail? {
            let start = cursor(version)
            return SyncTail(try page(after: start), of: read(after: start), after: start, limits: .init(passedRows: passedRows))
        }

        func cursor(_ version: Int) -> SyncCursor {
            SyncCursor(epoch: epochs[epochs.count - 1].id, version: version, storefrontVersion: storefrontVersion)
        }

        func extended(_ tail: SyncTail) -> SyncTail? {
            tail.extended(by: read(after: tail.end), within: .init(), write: SyncTailTests.bytes)
        }
    }

    private static func bytes(of row: SyncRow) -> [UInt8] {
        Array("\(row.id) \(row.version) ".utf8) + (row.content.map { Array($0.document.prefix($0.document.count / 2)) } ?? [])
    }

    @Test("A tail has the pages of the database after each publication", arguments: Seeds.fixed(20))
    func pages(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var settings = DrawnSettings(seed: seed)
        var database = Database()
        database.passedRows = settings.draw("passedRows", default: 5_000, or: [1, 2, 7, 30])
        let size = settings.draw("bytes of a document", default: 100, or: [20_000, 400_000])
        var tail: SyncTail?
        var compared = 0
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                switch Int.random(in: 0...9, using: &random) {
                case 0: database.skip(Int.random(in: 1...9, using: &random))
                case 1: database.isComplete.toggle()
                case 2...3: database.publish("\(Int.random(in: 0..<30, using: &random))", bytes: nil)
                default:
                    database.publish("\(Int.random(in: 0..<30, using: &random))", bytes: Int.random(in: 0...size, using: &random))
                }
            }
            tail = tail.flatMap { database.extended($0) }
            if tail == nil { tail = try database.tail(after: database.head - Int.random(in: 0...10, using: &random)) }
            guard let tail else { continue }
            #expect(tail.head.version == database.head && tail.start <= database.head, "\(settings)")
            for _ in 0..<6 {
                let version = Int.random(in: tail.start...tail.head.version, using: &random)
                let budget = SyncPage.Budget(changes: Int.random(in: 1...40, using: &random))
                let page = try tail.page(after: database.cursor(version), in: Self.scope, within: budget)
                let expected = try database.page(after: database.cursor(version), within: budget)
                #expect(page == expected, "\(settings): after \(version) of \(tail.start)...\(tail.head.version)")
                compared += 1
            }
        }
        #expect(compared > 10, "\(settings)")
    }

    @Test("A cursor whose answer is not certain is left to the database")
    func uncertain() throws {
        var database = Database()
        for index in 0..<9 { database.publish("\(index)") }
        let tail = try #require(try database.tail(after: 42))
        func isKnown(_ cursor: SyncCursor) throws -> Bool { try tail.page(after: cursor, in: Self.scope, within: .init()) != nil }
        #expect(try tail.count == 7 && isKnown(database.cursor(42)) && isKnown(database.cursor(49)))
        // Before the tail, and after its head.
        #expect(try !isKnown(database.cursor(41)) && !isKnown(database.cursor(50)))
        // A first load omits tombstones.
        #expect(try !isKnown(SyncCursor(epoch: Self.epochs[1].id, version: 45, base: 47)))
        // Another epoch, that of a server that knows a later one, and another form.
        for epoch in [Self.epochs[0].id, EpochID(nonce: 3)] { #expect(try !isKnown(SyncCursor(epoch: epoch, version: 45))) }
        #expect(try !isKnown(SyncCursor(epoch: Self.epochs[1].id, version: 45, storefrontVersion: 9)))
        // A pass that saw a higher head.
        #expect(try !isKnown(SyncCursor(epoch: Self.epochs[1].id, version: 45, received: 50)))
        // Tombstones that are purged.
        database.floor = 46
        let purged = try #require(database.extended(tail))
        #expect(try purged.page(after: database.cursor(45), in: Self.scope, within: .init()) == nil)
        #expect(try purged.page(after: database.cursor(46), in: Self.scope, within: .init()) != nil)
    }

    @Test("A page that does not reach the head, or is of a first load, starts no tail")
    func starts() throws {
        var database = Database()
        for index in 0..<9 { database.publish("\(index)") }
        let start = database.cursor(42)
        let part = SyncPage.Budget(changes: 6)
        #expect(SyncTail(try database.page(after: start, within: part), of: database.read(after: start, within: part), after: start) == nil)
        let load = SyncCursor(epoch: Self.epochs[1].id, version: 42, base: 45)
        #expect(SyncTail(try database.page(after: load), of: database.read(after: load), after: load) == nil)
    }

    @Test("Another epoch, another form of the storefront, a lost version and an incomplete reading end a tail")
    func ends() throws {
        var database = Database()
        for index in 0..<9 { database.publish("\(index)") }
        let tail = try #require(try database.tail(after: 42))
        func ends(_ change: (inout Database) -> Void) -> Bool {
            var changed = database
            change(&changed)
            return changed.extended(tail) == nil
        }
        #expect(!ends { $0.publish("10") } && !ends { $0.isComplete = false } && !ends { _ in })
        #expect(ends { $0.epochs.append(.init(EpochID(nonce: 3), start: 45)) })
        #expect(ends { $0.storefrontVersion = 44 })
        #expect(ends { $0.storefront = Self.storefront(in: "America/Chicago") })
        #expect(ends { $0.head -= 1 })
        #expect(ends { database in for index in 0..<201 { database.publish("\(index)") } })
        #expect(!ends { database in for index in 0..<200 { database.publish("\(index)") } })
        #expect(ends { database in for index in 0..<3 { database.publish("\(index)", bytes: 300_000) } })
    }

    @Test("A change that extends a tail does not keep the spare capacity of its writer")
    func capacity() throws {
        var database = Database()
        let tail = try #require(try database.tail(after: 40))
        database.publish("1", bytes: 10_000)
        let extended = try #require(
            tail.extended(by: database.read(after: tail.end), within: .init()) { row in
                var bytes: [UInt8] = []
                bytes.reserveCapacity(100_000)
                bytes.append(contentsOf: Self.bytes(of: row))
                return bytes
            })
        #expect(extended.count == 1 && extended.bytes > tail.bytes + 5_000 && extended.bytes < tail.bytes + 10_000)
    }

    @Test("A tail has at most the documents and versions that a page reads")
    func limits() throws {
        var database = Database()
        database.passedRows = 100
        var tail = try #require(try database.tail(after: 40))
        for index in 0..<300 {
            database.publish("\(index)", bytes: index < 200 ? 10 : 100_000)
            tail = try #require(database.extended(tail))
            #expect(tail.bytes < 400_000)
            if index == 150 { #expect(tail.start == database.head - 99 && tail.count == 99) }
        }
        // Six of these documents are more than the 512 KiB that a page reads.
        #expect(tail.count == 5 && tail.start == database.head - 5)
    }
}
