import Foundation
import TestSupport
import Testing

@Suite("Raw requests")
struct RequestCorpusTests {
    private let corpus: RequestCorpus

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens/requests.txt")
        let read = RequestCorpus(try String(contentsOf: file, encoding: .utf8))
        corpus = RequestCorpus(try Golden("requests.txt").text(recording: read.text { Exchange($0.bytes).outcomes }))
        _ = try nonEmpty(corpus.cases, "requests in Goldens/requests.txt")
    }

    @Test("The file has enough requests, each with its own name")
    func size() {
        #expect(corpus.cases.count >= 150)
        #expect(Set(corpus.cases.map(\.name)).count == corpus.cases.count)
    }

    @Test("Each request has its recorded outcome")
    func whole() {
        for request in corpus.cases { #expect(Exchange(request.bytes).outcomes == request.outcomes.map(String.init), "\(request.name)") }
    }

    @Test("Requests that arrive byte by byte have the same outcome")
    func byteByByte() {
        for request in corpus.cases {
            let bytes = request.bytes
            #expect(Exchange(bytes, pieces: bytes.map { _ in 1 }).outcomes == request.outcomes.map(String.init), "\(request.name)")
        }
    }
}
