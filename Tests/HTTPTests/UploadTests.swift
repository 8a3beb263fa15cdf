import HTTPMessages
import Testing

@testable import HTTP

@Suite("A body that is taken as it comes")
struct UploadTests {
    @Test("is over once it failed, whatever had come or comes behind that")
    func failure() throws {
        let upload = Upload(taken: { _ in })
        upload.add([1, 2])
        #expect(try upload.take() == [1, 2])
        upload.add([3])
        upload.fail(Refusal(.unauthorized, "no more"))
        upload.add([4])
        upload.end()
        #expect(throws: Refusal.self) { try upload.take() }
        #expect(upload.failure?.status == .unauthorized && upload.isEmpty)
    }
}
