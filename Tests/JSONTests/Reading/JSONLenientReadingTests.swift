import JSON
import Testing

@Suite("Lenient reading")
struct JSONLenientReadingTests {
    private func read(_ text: String) throws -> (value: Shelf, dropped: [JSONMistake]) {
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

    @Test("A faulty optional part is dropped, a faulty element of a lossy array alone")
    func dropsParts() throws {
        let (shelf, dropped) = try read(
            #"{\#(core),"columns":99,"maximum":"x","items":[{"id":"x"},{"id":1},7,{"id":"y","rank":"z"}],"labels":{"a":1}}"#)
        #expect(shelf.columns == 1)
        #expect(shelf.maximum == nil)
        #expect(shelf.items == [.init(id: "x"), .init(id: "y")])
        #expect(shelf.labels.isEmpty)
        #expect(dropped.map(\.pointer.description) == ["/columns", "/maximum", "/items/1/id", "/items/2", "/items/3/rank", "/labels/a"])
    }

    @Test("A faulty required part refuses the whole, and only that")
    func refusesRequired() throws {
        let error = try #require(throws: JSONError.self) { try read(#"{"title":"a","kind":"lsit","width":{"absolute":1}}"#) }
        #expect(error.mistakes.map(\.code) == [.notOneOf])
    }

    @Test("A word that is not understood may have a meaning of its own")
    func faultyFallback() throws {
        struct Behavior: JSONDecodable {
            let kind: Shelf.Kind
            init(from json: JSONReader) throws(JSONRefusal) {
                var object = try json.object()
                kind = object.value("kind", default: .list, faulty: .carousel)
                try object.finish()
            }
        }
        #expect(try JSONDocument(parsing: "{}").decodeLeniently(Behavior.self).value.kind == .list)
        #expect(try JSONDocument(parsing: #"{"kind":"spiral"}"#).decodeLeniently(Behavior.self).value.kind == .carousel)
        #expect(throws: JSONError.self) { try JSONDocument(parsing: #"{"kind":"spiral"}"#).decode(Behavior.self) }
    }

    @Test("A part that was dropped leaves no key behind for the objects around it")
    func keysOfDroppedParts() throws {
        let error = try #require(throws: JSONError.self) {
            try JSONDocument(parsing: #"{\#(core),"items":[{"id":{}},{"id":"x","title":1}],"rank":1}"#).decode(Shelf.self)
        }
        #expect(error.mistakes.map(\.pointer.description) == ["/items/0/id", "/items/1/title", "/rank"])
    }
}
