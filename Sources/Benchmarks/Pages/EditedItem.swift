import EventLoop
import Host
import Postgres
import Settings

/// An item that stands on the measured page, edited again and again.
struct EditedItem {
    private static let edit = "UPDATE vitrine.item_texts SET title = $2 WHERE item_id = $1 AND locale = 'en'"

    private let client: PostgresClient
    private let id: UUID

    init(_ shop: MeasuredShop) throws {
        client = try PostgresClient(shop.url)
        let query = PostgresQuery(
            "shown",
            """
            SELECT item_id FROM vitrine.published JOIN vitrine.item_texts USING (item_id)
            WHERE published.kind = 'placement' AND storefront = 'us' AND feed = 'shelves' AND document IS NOT NULL AND locale = 'en'
            ORDER BY document ->> 'order' LIMIT 1
            """)
        guard let id = try client.run({ try await $0.rows(of: query, as: UUID.self, until: .late) }).first else {
            throw BenchmarkFailure(reason: "nothing is shown")
        }
        self.id = id
    }

    /// From each commit to the first page that has it, the shortest first.
    func times(_ count: Int, on server: VitrineServer) throws -> [Duration] {
        let port = server.port
        let times = try client.run { [id] pool in
            let client = try await PagePoller(port: port, on: pool.loop)
            var times: [Duration] = []
            for number in 0..<count {
                let title = "Edited \(number) times"
                try await pool.run(PostgresQuery("edit", Self.edit, id, title), until: .late)
                let start = ContinuousClock.now
                while try await !client.newPage().contains(title) { try await pool.loop.sleep(until: .after(.milliseconds(1))) }
                times.append(start.duration(to: .now))
                // Not in step with whatever looks from time to time.
                try await pool.loop.sleep(until: .after(.milliseconds(150 + 7 * (number % 13))))
            }
            return times
        }
        try client.close()
        return times.sorted()
    }
}

/// A client that keeps its connection and asks for what it does not have.
private final class PagePoller {
    private let socket: ClientSocket
    private var tag = ""

    init(port: Int, on loop: EventLoop) async throws {
        socket = try await ClientSocket(port: port, on: loop, patience: .seconds(600))
    }

    /// Empty where the page is the same.
    func newPage() async throws -> String {
        try await socket.send("GET \(MeasuredShop.path) HTTP/1.1\r\nhost: bench\r\nif-none-match: \(tag)\r\n\r\n")
        var bytes: [UInt8] = []
        var fields: [Substring] = []
        while fields.isEmpty {
            bytes += try await socket.receive()
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.firstRange(of: "\r\n\r\n") {
                fields = text[..<end.lowerBound].split(separator: "\r\n")
                bytes.removeFirst(text.utf8.distance(from: text.startIndex, to: end.upperBound))
            }
        }
        func value(_ name: String) -> Substring? { fields.first { $0.lowercased().hasPrefix("\(name): ") }?.dropFirst(name.count + 2) }
        tag = value("etag").map(String.init) ?? tag
        guard fields[0].hasPrefix("HTTP/1.1 200"), let length = value("content-length").flatMap({ Int($0) }) else { return "" }
        while bytes.count < length { bytes += try await socket.receive() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
