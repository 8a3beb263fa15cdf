import Postgres
import SQLFiles
import TestSupport
import Testing

@Suite("The migrations of a program")
struct MigrationSetTests {
    private func issues(_ files: [Site.File]) -> [String] {
        do {
            _ = try Site.set(files)
            return []
        } catch {
            return (error as? MigrationFileError)?.issues.map(\.description) ?? ["\(error)"]
        }
    }

    @Test("Migrations are in the order of their numbers and have the digest of their bytes")
    func order() throws {
        let set = try Site.set(Site.files.reversed())
        #expect(set.migrations.map(\.id.description) == ["0001_create_schema", "0002_create_items", "0003_add_prices"])
        #expect(set.migrations.map(\.checksum.bytes) == Site.files.map { Site.digest($0.bytes) })
        #expect(set.migrations.map(\.sql.utf8.count) == Site.files.map(\.bytes.count))
    }

    @Test("The migrations of this program are valid")
    func embedded() throws {
        let set = try Site.set(SQLFiles.migrations)
        #expect(set.migrations.first?.id == MigrationID(number: 1, name: "create_schema"))
        #expect(set.migrations.map(\.id.number) == Array(1...set.migrations.count))
    }

    @Test(
        "A file that is not named NNNN_verb_noun.sql is refused",
        arguments: [
            "1_create_schema.sql", "00001_create_schema.sql", "0000_create_schema.sql", "0001_create.sql", "0001_Create_schema.sql",
            "0001_create_schema", "0001-create-schema.sql", "0001__create_schema.sql", "٠٠٠١_create_schema.sql",
            "0001_create_schema.sql.sql", "",
        ])
    func names(name: String) {
        #expect(issues([Site.file(name, "SELECT 1")]) == ["\(name): invalid name: expected one like 0001_create_schema.sql"])
    }

    @Test("All issues of the files are reported together")
    func explanations() throws {
        let text = issues([
            Site.file("0002_create_items.sql", "SELECT 1"), Site.file("0002_create_goods.sql", "SELECT 1"),
            Site.file("0005_add_prices.sql", "-- Nothing.\n;\n"), Site.file("0006_add_stock.sql", "SELECT 1;\n\nCOMMIT;"),
            Site.file("0007_add_rules.sql", "SELECT 'a\n"), ("0008_add_pages.sql", [0xFF]), ("0009_add_texts.sql", [0x3B, 0x00]),
            Site.file("readme.txt", ""),
        ]).map { $0 + "\n" }.joined()
        #expect(try Golden("file-mistakes.txt").text(recording: text) == text)
    }

    @Test(
        "A migration that starts or ends a transaction is refused",
        arguments: ["BEGIN; SELECT 1", "select 1; commit", "ROLLBACK", "start transaction", "SELECT 1;END;", "/* */ abort"])
    func transactions(sql: String) {
        #expect(issues([Site.file("0001_create_schema.sql", sql)]).count == 1)
    }

    @Test(
        "A migration may have blocks in its functions",
        arguments: [
            "DO $$ BEGIN PERFORM 1; END $$;", "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS 'BEGIN; END'", "SELECT 1 AS begin",
        ])
    func functions(sql: String) {
        #expect(issues([Site.file("0001_create_schema.sql", sql)]) == [])
    }
}
