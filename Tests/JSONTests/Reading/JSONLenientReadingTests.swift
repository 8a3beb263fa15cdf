import JSON
import Testing

@Suite("Lenient decoding")
struct JSONLenientReadingTests {
    private func read(_ text: String) throws -> (value: Shelf, dropped: [JSONIssue]) {
        try JSONDocument(parsing: text).decodeLeniently(Shelf.self)
    }

    private let core = #""title":"a","kind":"list","width":{"absolute":1}"#

    @Test("Unknown keys are ignored at every level")
    func unknownKeys() throws {
        let (shelf, dropped) = try read(
            #"{"new":{"deep":[]},"title":"a","kind":"list","width":{"absolute":1,"unit":"pt"},"items":[{"id":"x","more":1}]}"#)
        #expect(shelf.items == [.init(id: "x")])
        #expect(dropped.isEmpty)
    }

    @Test("An invalid optional part is dropped, and a lossy array drops only its invalid elements")
    func dropsParts() throws {
        let (shelf, dropped) = try read(
            #"{\#(core),"columns":99,"maximum":"x","items":[{"id":"x"},{"id":1},7,{"id":"y","rank":"z"}],"labels":{"a":1}}"#)
        #expect(shelf.columns == 1)
        #expect(shelf.maximum == nil)
        #expect(shelf.items == [.init(id: "x"), .init(id: "y")])
        #expect(shelf.labels.isEmpty)
        #expect(dropped.map(\.pointer.description) == ["/columns", "/maximum", "/items/1/id", "/items/2", "/items/3/rank", "/labels/a"])
    }

    @Test("An invalid required part rejects its object, and only that object")
    func refusesRequired() throws {
        let error = try #require(throws: JSONError.self) { try read(#"{"title":"a","kind":"lsit","width":{"absolute":1}}"#) }
        #expect(error.issues.map(\.code) == [.invalidChoice])
    }

    @Test("An unknown keyword can have its own fallback")
    func faultyFallback() throws {
        struct Behavior: JSONDecodable {
            let kind: Shelf.Kind
            init(from json: JSONReader) throws(JSONReadError) {
                var object = try json.object()
                kind = object.value("kind", default: .list, faulty: .carousel)
                try object.finish()
            }
        }
        #expect(try JSONDocument(parsing: "{}").decodeLeniently(Behavior.self).value.kind == .list)
        #expect(try JSONDocument(parsing: #"{"kind":"spiral"}"#).decodeLeniently(Behavior.self).value.kind == .carousel)
        #expect(throws: JSONError.self) { try JSONDocument(parsing: #"{"kind":"spiral"}"#).decode(Behavior.self) }
    }

    @Test("An invalid essential part rejects its object, and an absent one has its default")
    func essential() throws {
        struct Span: JSONDecodable, Equatable {
            var count: Int
            init(from json: JSONReader) throws(JSONReadError) {
                var object = try json.object()
                count = object.essential("count", default: 1, .in(1...9))
                try object.finish()
            }
        }
        #expect(try JSONDocument(parsing: #"{"count":null}"#).decodeLeniently(Span.self).value.count == 1)
        #expect(throws: JSONError.self) { try JSONDocument(parsing: #"{"count":10}"#).decodeLeniently(Span.self) }
        let (spans, dropped) = try JSONDocument(parsing: #"[{"count":2},{}]"#).decodeLeniently([Span].self)
        #expect(spans.map(\.count) == [2, 1])
        #expect(dropped.isEmpty)
    }

    @Test("A list with custom decoding reports all its issues, and decodes a keyword as its index")
    func byHand() throws {
        struct Places: JSONDecodable {
            let places: [Int]
            init(from json: JSONReader) throws(JSONReadError) {
                places = try json.list { element throws(JSONReadError) in try element.choice(among: ["a", "b"]) }
            }
        }
        #expect(try Places(parsing: Array(#"["b","a"]"#.utf8)).places == [1, 0])
        let error = try #require(throws: JSONError.self) { try Places(parsing: Array(#"["c","a",1]"#.utf8)) }
        #expect(error.issues.map { "\($0.pointer) \($0.code.rawValue)" } == ["/0 INVALID_CHOICE", "/2 INVALID_TYPE"])
    }

    @Test("The keys of a dropped part do not leak into the objects around it")
    func keysOfDroppedParts() throws {
        let error = try #require(throws: JSONError.self) {
            try JSONDocument(parsing: #"{\#(core),"items":[{"id":{}},{"id":"x","title":1}],"rank":1}"#).decode(Shelf.self)
        }
        #expect(error.issues.map(\.pointer.description) == ["/items/0/id", "/items/1/title", "/rank"])
    }
}
