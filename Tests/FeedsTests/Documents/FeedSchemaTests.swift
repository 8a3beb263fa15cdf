import Feeds
import Foundation
import JSON
import TestSupport
import Testing

@Suite("The schema of feeds")
struct FeedSchemaTests {
    private static let validator = SchemaValidator(FeedSchema.document)

    private func accepts(_ text: [UInt8]) throws -> Bool { try Self.validator.accepts(JSONValue(parsing: text)) }

    @Test("The file in the documents is what the program would write; RECORD_GOLDENS=1 writes it")
    func file() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../docs/feed.schema.json").standardizedFileURL
        let text = String(decoding: try FeedSchema.document.json(.pretty), as: UTF8.self) + "\n"
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" { try text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("The example validates, as it is and in its canonical form")
    func example() throws {
        #expect(try accepts(ExampleFeed.bytes))
        #expect(try accepts(FeedDocument(parsing: ExampleFeed.bytes).canonical()))
    }

    @Test("Every document that reading accepts validates")
    func randomDocuments() throws {
        for seed in 0..<150 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            let text = try random.document().json()
            #expect(try accepts(text), "seed \(seed)")
            #expect(try accepts(FeedDocument(parsing: text).canonical()), "seed \(seed)")
        }
    }

    @Test("A section has the members that commands and files know it by")
    func members() throws {
        let document = try JSONDocument(parsing: FeedSchema.document.json(), limits: .ownOutput).root
        let names = document["$defs"]?["section"]?["properties"]?.members.map(\.key) ?? []
        #expect(names.sorted() == FeedSection.memberNames.sorted())
    }

    @Test("What is broken is refused by the schema, except where it takes more than one part to see it", arguments: BrokenFeed.all)
    func broken(feed: BrokenFeed) throws {
        #expect(try accepts(Array(feed.text.utf8)) == feed.passesSchema, "\(feed.text)")
    }
}
