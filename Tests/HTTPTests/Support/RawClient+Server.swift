import HTTP
import Host
import TestSupport
import Testing

extension RawClient {
    /// Sends each byte after the server has read the previous one. No other client may send bytes to the server.
    func sendByByte(_ bytes: some Sequence<UInt8>, to server: HTTPServer) async throws {
        var count = await server.counters().bytesReceived
        for byte in bytes {
            try send([byte])
            count += 1
            await wait(while: await server.counters().bytesReceived < count)
        }
    }
}
