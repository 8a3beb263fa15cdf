import Foundation
import JSON
import Resolve
import TestSupport
import Testing

@Suite("The test vectors of resolve", .serialized)
struct VectorTests {
    private static let count = 2_000
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/resolve/vectors.json")

    private struct Vector: JSONObjectDecodable {
        let edition: Edition
        let facts: ClientFacts
        let resolved: Edition

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            edition = try object.value("edition")
            facts = try object.value("facts")
            resolved = try object.value("resolved")
        }
    }

    /// The text of the file: an array with one case on each line. The editions are written without the sources.
    private func generated() throws -> String {
        var source = try RandomPages(seed: 2_026)
        var lines: [String] = []
        for _ in 0..<Self.count {
            let page = source.page(sections: 1...3, candidates: 0...5)
            let client = source.client(onlyServed: false)
            let known = source.number(0...2) == 0 ? 1 << NaiveClient.factCount - 1 : source.number(0...1 << NaiveClient.factCount - 1)
            let text = page.json(isCut: false)
            let edition = try JSONDocument(parsing: Array(text.utf8)).decodeLeniently(Edition.self).value
            #expect(edition == page.edition(isCut: false))
            let facts = client.facts(known)
            let resolved = String(decoding: try resolve(edition, facts).json(), as: UTF8.self)
            lines.append(#"{"edition":\#(text),"facts":\#(String(decoding: try facts.json(), as: UTF8.self)),"resolved":\#(resolved)}"#)
        }
        return "[\n\(lines.joined(separator: ",\n"))\n]\n"
    }

    @Test("The file of vectors is up to date")
    func upToDate() throws {
        let text = try generated()
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" { try text.write(to: Self.file, atomically: true, encoding: .utf8) }
        let isUpToDate = try String(contentsOf: Self.file, encoding: .utf8) == text
        #expect(isUpToDate, "record the file with RECORD_GOLDENS=1")
    }

    @Test("Each vector has the resolved page, and is a page that its reader and writer agree on")
    func vectors() throws {
        let document = try JSONDocument(parsing: Array(try Data(contentsOf: Self.file)), limits: .ownOutput)
        let vectors = document.root.elements.compactMap { $0.decodeLeniently(Vector.self) }
        #expect(vectors.count == Self.count)
        for (index, vector) in vectors.enumerated() {
            let copy = try JSONDocument(parsing: vector.edition.json()).decodeLeniently(Edition.self).value
            guard resolve(vector.edition, vector.facts) == vector.resolved, copy == vector.edition else {
                Issue.record("case \(index) differs")
                return
            }
        }
    }
}
