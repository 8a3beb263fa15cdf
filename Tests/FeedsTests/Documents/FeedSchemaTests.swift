import Feeds
import Foundation
import JSON
import TestSupport
import Testing

@Suite("The JSON Schema of feeds")
struct FeedSchemaTests {
    private static let validator = SchemaValidator(FeedSchema.document)

    private func accepts(_ text: [UInt8]) throws -> Bool { try Self.validator.accepts(JSONValue(parsing: text)) }

    @Test("The schema in the documentation matches the generated one; RECORD_GOLDENS=1 records it")
    func file() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../../docs/feed.schema.json").standardizedFileURL
        let text = String(decoding: try FeedSchema.document.json(.pretty), as: UTF8.self) + "\n"
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" { try text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test("The example is valid, as written and in canonical form")
    func example() throws {
        #expect(try accepts(ExampleFeed.bytes))
        #expect(try accepts(FeedDocument(parsing: ExampleFeed.bytes).canonical()))
    }

    @Test("Every random document that can be decoded is valid")
    func randomDocuments() throws {
        for seed in 0..<150 as Range<UInt64> {
            var random = RandomFeeds(seed: seed)
            let text = try random.document().json()
            #expect(try accepts(text), "seed \(seed)")
            #expect(try accepts(FeedDocument(parsing: text).canonical()), "seed \(seed)")
        }
    }

    @Test("The schema lists the fields of a section that commands and files use")
    func members() throws {
        let document = try JSONDocument(parsing: FeedSchema.document.json(), limits: .ownOutput).root
        let names = document["$defs"]?["section"]?["properties"]?.members.map(\.key) ?? []
        #expect(names.sorted() == FeedSection.memberNames.sorted())
    }

    @Test("The schema rejects each invalid document, except for issues that involve several parts", arguments: BrokenFeed.all)
    func broken(feed: BrokenFeed) throws {
        #expect(try accepts(Array(feed.text.utf8)) == feed.passesSchema, "\(feed.text)")
    }
}
