// fuzzes: Values JSON
import JSON

/// A type that reads any JSON value, so that every reading method gets hostile values.
private struct Anything: JSONDecodable {
    enum Word: String, CaseIterable, JSONDecodable { case list, grid, carousel }

    init(from json: JSONReader) throws(JSONReadError) {
        if json.kind == .array {
            for element in try json.elements() { _ = try element.decode(as: Anything.self) }
            return
        }
        var object = try json.object()
        let id = object.required("id", as: String.self, .bytes(1...8))
        _ = object.optional("kind", as: Word.self)
        _ = object.value("count", default: UInt8(0), .in(1...9))
        _ = object.value("size", default: 0.5, .atLeast(0))
        _ = object.lossyArray("items", of: Anything.self)
        _ = object.optional("labels", as: [String: Int].self)
        _ = object.optional("list", as: [Bool?].self)
        _ = object.choice(of: Word.self).value?.1.key
        try object.finish()
        _ = try id()
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(JSONError) {
        let document = try JSONDocument(parsing: source, limits: JSONLimits(bytes: 1 << 20))
        check(document)
        _ = try document.decodeLeniently(Anything.self)
        _ = try document.decode(Anything.self)
    } catch {
        precondition(!error.issues.isEmpty && error.issues.count <= JSONError.limit)
        precondition(!error.description.isEmpty)
    }
    return 0
}

private func check(_ document: JSONDocument) {
    let canonical = document.root.canonical()
    let value = JSONValue(document.root)
    do throws(JSONError) {
        let again = try JSONDocument(parsing: canonical, limits: .ownOutput)
        precondition(again.root.canonical() == canonical, "the canonical form is not stable")
        let pretty = try JSONDocument(parsing: value.json(.pretty), limits: .ownOutput)
        precondition(JSONValue(pretty.root) == value, "the pretty form reads back differently")
        precondition(pretty.root.canonical() == canonical, "the canonical form depends on the spelling")
    } catch {
        preconditionFailure("what was written is refused: \(error)")
    }
}
