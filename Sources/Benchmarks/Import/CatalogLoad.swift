import Host
internal import Postgres
import Settings

/// A file that is imported into a new database.
struct CatalogLoad {
    /// The import up to its commit.
    let run: BuiltProgram.Run
    /// The time after which lists and searches have all items.
    let indexed: Duration
    private let count: Int
    private let file: String
    private let url: DatabaseURL

    init(_ file: String, of count: Int, _ url: DatabaseURL, _ progress: ProgressLine) throws {
        try BuiltProgram(["db", "migrate"], url: url).run()
        progress.show("import of \(count) items")
        run = try BuiltProgram(["db", "load", "--no-wait", file], url: url).run()
        progress.show("indexing of \(count) items")
        indexed = try PSQL(url: url.exposed).time("DO $$ BEGIN WHILE vitrine.derive_items(5000) > 0 LOOP COMMIT; END LOOP; END $$")
        (self.count, self.file, self.url) = (count, file, url)
    }

    /// Imports the file again, and checks that all items are unchanged.
    func again(_ progress: ProgressLine) throws -> BuiltProgram.Run {
        progress.show("import of \(count) unchanged items")
        let again = try BuiltProgram(["db", "load", file], url: url).run()
        guard let new = Self.count("added", in: run.output), new > 0, Self.count("unchanged", in: again.output) == new else {
            throw BenchmarkDisagreement(what: "\(run.output), then \(again.output)")
        }
        return again
    }

    /// The number before a word in the output of an import, such as `Imported: 3 added, 0 updated, 1 unchanged, 0 rejected.`
    static func count(_ word: String, in output: String) -> Int? {
        let words = output.split { " ,.\n".contains($0) }
        return zip(words, words.dropFirst()).first { $1 == word }.flatMap { Int($0.0) }
    }
}
