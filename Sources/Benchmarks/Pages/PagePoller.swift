import EventLoop

/// A client that keeps its connection and sends conditional requests.
final class PagePoller {
    private let socket: ClientSocket
    private var tag = ""

    init(port: Int, on loop: EventLoop) async throws {
        socket = try await ClientSocket(port: port, on: loop, timeout: .seconds(600))
    }

    func wait(for text: String, on loop: EventLoop) async throws { try await wait(on: loop) { $0.contains(text) } }

    /// Waits for a page that satisfies a condition. The first request of this client always receives a page.
    func wait(on loop: EventLoop, until isExpected: (_ page: String) -> Bool) async throws {
        while true {
            let page = try await newPage()
            if !page.isEmpty, isExpected(page) { return }
            try await loop.sleep(until: .after(.milliseconds(1)))
        }
    }

    /// Returns the body of a changed page, or an empty string if it did not change.
    func newPage() async throws -> String {
        let response = try await socket.response(to: MeasuredSite.path, "if-none-match: \(tag)\r\n")
        tag = response["etag"].map(String.init) ?? tag
        return response.status == 200 ? String(decoding: response.body, as: UTF8.self) : ""
    }
}
