import Foundation
import Postgres
import SQLFiles
import TestSupport
import Testing

@Suite("The SQL in the program")
struct SQLFilesTests {
    private let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../sql").standardized

    private func names(in part: String) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(at: folder.appending(path: part), includingPropertiesForKeys: nil)
        return try nonEmpty(files.filter { part == "." || !$0.hasDirectoryPath }, "files in sql/\(part)").map(\.lastPathComponent).sorted()
    }

    @Test("The program contains every file of sql/, in order and with the bytes on disk")
    func complete() throws {
        let sample = SQLFiles.sample.sorted { $0.name < $1.name }
        let parts = [
            ("migrations", SQLFiles.migrations), ("queries", SQLFiles.queries), ("sample", sample), ("sample/feeds", SQLFiles.sampleFeeds),
        ]
        for (part, files) in parts {
            #expect(files.map(\.name) == (try names(in: part)), "list the files of sql/\(part) in Sources/CFiles/CFiles.c")
            for file in files {
                #expect(try file.bytes == Array(Data(contentsOf: folder.appending(path: "\(part)/\(file.name)"))), "\(file.name)")
            }
        }
    }

    @Test("SQL is only in three folders, with the roles that a superuser creates in a fourth")
    func nowhereElse() throws {
        #expect(Set(try names(in: ".")) == ["README.md", "SQLFiles.swift", "migrations", "queries", "roles", "sample"])
    }

    @Test("The program has exactly the queries that its sources name")
    func queries() throws {
        let sources = folder.appending(path: "../Sources").standardized
        let paths = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var named: [String] = []
        for case let file as URL in paths where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let names = text.matches(of: #/NamedQuery\(\s*"([^"]*)"/#).map { String($0.1) }
            // The queries that the reader of sql/ creates have the argument label `name`.
            let made = text.matches(of: #/NamedQuery\((?!name:)/#).count
            #expect(made == names.count, "\(file.lastPathComponent): a name of a query is a literal")
            named += names
        }
        let queries = QueryLibrary.builtIn.queries.map(\.name.description)
        #expect(Set(named).subtracting(queries).sorted() == [], "names without a query")
        #expect(Set(queries).subtracting(named).sorted() == [], "queries that nothing names")
    }
}
