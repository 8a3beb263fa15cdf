import JSON
import Testing

@testable import CLI

@Suite("A table of the command line") struct ListPageTests {
    private static func table(_ names: [String], width: Int?) throws -> String {
        let page = ListPage(elements: names, columns: [.init(title: "N") { $0 }, .init(title: "TITLE") { $0 + "!" }]) { $0 }
        return String(decoding: try page.text(as: .table, width: width), as: UTF8.self)
    }

    @Test("Columns are aligned for characters of double width, and the table fits the terminal")
    func wide() throws {
        #expect(try Self.table(["日本", "cafe\u{301}s"], width: nil) == "N      TITLE\n日本   日本!\ncafe\u{301}s  cafe\u{301}s!\n")
        #expect(try Self.table(["日本語", "abc"], width: 11) == "N       TI…\n日本語  日…\nabc     ab…\n")
    }

    @Test("A table that is too wide reduces the widest columns and keeps the first one")
    func narrow() throws {
        let row = ["a-long-key-of-a-feed", "title", "a rule with many conditions"]
        let page = ListPage(
            elements: [0], columns: (0..<3).map { column in .init(title: ["KEY", "TITLE", "RULE"][column]) { _ in row[column] } }
        ) { "\($0)" }
        let text = String(decoding: try page.text(as: .table, width: 44), as: UTF8.self)
        #expect(text == "KEY                   TITLE  RULE\na-long-key-of-a-feed  title  a rule with ma…\n")
    }

    @Test("A table has a placeholder for an empty value, and CSV has none")
    func placeholder() throws {
        let page = ListPage(
            elements: ["a", ""], columns: [.init(title: "N") { _ in "x" }, .init(title: "TAGS", placeholder: "-") { $0 }]
        ) { $0 }
        #expect(String(decoding: try page.text(as: .table, width: nil), as: UTF8.self) == "N  TAGS\nx  a\nx  -\n")
        #expect(String(decoding: try page.text(as: .csv, width: nil), as: UTF8.self) == "n,tags\r\nx,a\r\nx,\r\n")
    }

    @Test("Control characters are escaped, and joined letters are kept")
    func controls() throws {
        #expect(try Self.table(["a\u{1B}[31m", "می\u{200C}خواهم"], width: nil).contains("a\\u{1b}[31m"))
        #expect(try Self.table(["می\u{200C}خواهم"], width: nil).contains("می\u{200C}خواهم!"))
    }
}
