import TestSupport
import Testing

@testable import Postgres

@Suite("A file of queries")
struct QueryLibraryTests {
    private func library(_ text: String, file: String = "catalog.sql") throws -> QueryLibrary {
        try QueryLibrary([(name: file, bytes: Array(text.utf8))])
    }

    private func issues(_ text: String) -> [String] {
        do {
            _ = try library(text)
            return []
        } catch {
            return (error as? QueryFileError)?.issues.map(\.description) ?? ["\(error)"]
        }
    }

    @Test("A template makes a query for each word of its list, with the word in its name and text")
    func variants() throws {
        let library = try library(
            """
            -- name: catalog.by_title_$alphabet in und, ar
            SELECT title FROM texts WHERE title > $1 COLLATE "$alphabet-x-icu";
            -- name: catalog.count
            SELECT '$alphabet'
            """)
        #expect(library.queries.map(\.name.description) == ["catalog.by_title_ar", "catalog.by_title_und", "catalog.count"])
        #expect(library.query("catalog.by_title_ar")?.text == #"SELECT title FROM texts WHERE title > $1 COLLATE "ar-x-icu""#)
        #expect(library.query("catalog.count")?.text == "SELECT '$alphabet'")
        #expect(issues("-- name: catalog.by_$word in a, B\nSELECT 1").count == 1)
        #expect(issues("-- name: catalog.by_$word in a, a\nSELECT 1").count == 1)
    }

    @Test("Each query has its name, its text without surrounding comments, and its number of parameters")
    func queries() throws {
        let library = try library(
            """
            -- What the store asks.

            -- name: catalog.item_by_id
            -- By its key.
            SELECT id, title -- both
            FROM items
            WHERE id = $1 AND kind = $2 OR id = $1;
            -- Here ends the first.

              --name: catalog.count
            SELECT count(*) FROM items
            """)
        let first = try #require(library.query("catalog.item_by_id"))
        #expect(first.text == "SELECT id, title -- both\nFROM items\nWHERE id = $1 AND kind = $2 OR id = $1")
        #expect(first.parameters == 2)
        #expect(library.queries.map(\.name.description) == ["catalog.count", "catalog.item_by_id"])
        #expect(library.queries.first?.parameters == 0)
    }

    @Test("An unknown name has no query", arguments: ["catalog.items", "catalog"])
    func unknown(name: String) throws {
        let library = try library("-- name: catalog.item\nSELECT 1")
        #expect(library.query(name) == nil)
    }

    @Test("A file may have no queries", arguments: ["", "-- Nothing yet.\n"])
    func empty(text: String) throws {
        #expect(try library(text).queries == [])
    }

    @Test(
        "A product and the argument of count are not taken for all columns",
        arguments: [
            "SELECT 2 * 3", "SELECT count(*)", "SELECT (a) * -b", "SELECT a*$1", "SELECT '*'", "SELECT a ~* 'b'", "SELECT sum(a * b)",
        ])
    func products(sql: String) {
        #expect(issues("-- name: catalog.q\n\(sql)") == [])
    }

    @Test(
        "A query that selects * for columns is refused",
        arguments: [
            "SELECT * FROM a", "select\n*", "SELECT a, * FROM b", "SELECT b.* FROM b", "SELECT DISTINCT * FROM a",
            "SELECT (SELECT * FROM a)",
            "DELETE FROM a RETURNING *", "SELECT /* c */ * FROM a", "SELECT count(a.*) FROM a", "WITH x AS (SELECT ALL * FROM a) SELECT 1",
        ])
    func star(sql: String) {
        #expect(issues("-- name: catalog.q\n\(sql)").map { $0.hasSuffix("catalog.q selects *; list the columns") } == [true])
    }

    @Test("All issues of a file are reported with their lines")
    func issues() throws {
        let found = issues(
            """
            SELECT 1;
            -- name: items
            SELECT 1;
            -- name: feeds.all
            SELECT 1;
            -- name: catalog.empty
            -- Nothing.
            ;
            -- name: catalog.twice
            SELECT 1;
            -- name: catalog.twice
            SELECT 2;
            -- name: catalog.two
            SELECT 1;
            SELECT 2;
            -- name: catalog.star
            SELECT *
            FROM items;
            -- name: catalog.zero
            SELECT $0;
            -- name: catalog.gap
            SELECT $1, $3;
            -- name: catalog.open
            SELECT 'open;
            """)
        let text = found.map { $0 + "\n" }.joined()
        #expect(try Golden("query-mistakes.txt").text(recording: text) == text)
    }

    @Test("A file that is not UTF-8 or contains U+0000 is refused", arguments: [[0xFF], [0x2D, 0x2D, 0x00]] as [[UInt8]])
    func bytes(bytes: [UInt8]) {
        #expect(throws: QueryFileError(issues: [QueryIssue(file: "a.sql", line: 1, code: .invalidText)])) {
            _ = try QueryLibrary([(name: "a.sql", bytes: bytes)])
        }
    }

    @Test("Two files must not use the same query name")
    func acrossFiles() {
        let file = (name: "a.sql", bytes: Array("-- name: a.b\nSELECT 1".utf8))
        #expect(throws: QueryFileError.self) { _ = try QueryLibrary([file, file]) }
    }

    @Test(
        "A query name is an area, a period and a name in snake case",
        arguments: ["a", "a.b.c", ".b", "a.", "A.b", "a.b-c", "a._b", "a.b__c", "a.1b", "a.b c", "ä.b"])
    func invalidName(text: String) {
        #expect(QueryName(text) == nil)
    }
}
