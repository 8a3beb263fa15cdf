import HTTPMessages
import Testing

@Suite("Header fields")
struct FieldsTests {
    @Test("one that stands alone has its value, and several are read as a list or not at all")
    func several() {
        #expect(Fields("x-request-id", ["a"])["x-request-id"] == "a")
        let twice = Fields("x-request-id", ["a", "b"])
        #expect(twice["x-request-id"] == nil)
        #expect(twice.list("x-request-id") == "a, b" && twice.contains("x-request-id"))
        #expect(Fields("x-request-id", [])["x-request-id"] == nil)
    }
}
