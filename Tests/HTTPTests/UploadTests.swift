import EventLoop
import HTTPMessages
import TestSupport
import Testing

@testable import HTTP

@Suite("A streamed upload")
struct UploadTests {
    @Test("A failed upload stays failed and discards its bytes")
    func failure() throws {
        let upload = Upload(consumed: { _ in })
        upload.add([1, 2])
        #expect(try upload.receive() == [1, 2])
        upload.add([3])
        upload.fail(RequestError(.unauthorized, "no more"))
        upload.add([4])
        upload.end()
        #expect(throws: RequestError.self) { try upload.receive() }
        #expect(upload.failure?.status == .unauthorized && upload.isEmpty)
    }

    @Test("A waiting response receives the whole upload")
    func waiting() async throws {
        let service = Service(
            admit: { _, _ in .stream(limit: 200_000) },
            respond: { request in
                .waiting(until: .never) { _ in
                    do throws(RequestError) {
                        let body = try await request.upload?.collect() ?? []
                        return Response(Task.isCancelled ? .unavailable : .ok, body: Body("\(body.count)\n"))
                    } catch {
                        return Response(error.status)
                    }
                }
            }, refuse: { failure, _ in Response(failure.status) })
        try await withServer(service) { _, port in
            let client = try RawClient(port: port)
            try client.send("POST / HTTP/1.1\r\nHost: shop\r\nConnection: close\r\nContent-Length: 200000\r\n\r\n")
            try client.send([UInt8](repeating: 0x61, count: 200_000))
            let response = try client.receiveAll()
            #expect(response.hasPrefix("HTTP/1.1 200 ") && response.hasSuffix("\r\n200000\n"), "\(response)")
        }
    }
}
