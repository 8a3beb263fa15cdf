import HTTPMessages
import Testing

@Suite("Header fields")
struct HTTPFieldsTests {
    @Test("A single field has its value, and repeated ones are available only as a list")
    func several() {
        #expect(HTTPFields("x-request-id", ["a"])["x-request-id"] == "a")
        let twice = HTTPFields("x-request-id", ["a", "b"])
        #expect(twice["x-request-id"] == nil)
        #expect(twice.list("x-request-id") == "a, b" && twice.contains("x-request-id"))
        #expect(HTTPFields("x-request-id", [])["x-request-id"] == nil)
    }
}
