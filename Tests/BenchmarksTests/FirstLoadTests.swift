import Testing

@testable import Benchmarks

@Suite("A first load")
struct FirstLoadTests {
    @Test("The cursor, the version and the number of changes of a page are read from its text")
    func page() throws {
        let page = try FirstLoad.Page(
            Array(
                """
                {"cursor":"djE.x-_","hasMore":true,"upToDate":false,"version":6441,"head":6449,"expiresAfter":"P60D","changes":[\
                {"op":"upsert","kind":"item","id":"a","version":6440,"hash":"0","data":{"id":"a","price":{"amountMinor":1}}},\
                {"op":"delete","kind":"item","id":"b","version":6441}]}
                """.utf8))
        #expect(page.cursor == "djE.x-_")
        #expect(page.version == 6_441)
        #expect(page.hasMore)
        #expect(page.changes == 2)
    }

    @Test("A response that is no page of changes is an error that shows it")
    func problem() {
        let failure = #expect(throws: BenchmarkFailure.self) { try FirstLoad.Page(Array(#"{"title":"Gone"}"#.utf8)) }
        #expect(failure?.reason == #"unexpected response: {"title":"Gone"}"#)
    }
}
