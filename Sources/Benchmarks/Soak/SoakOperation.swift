import Foundation

/// One request to the admin API and its expected status.
struct SoakOperation: CustomStringConvertible {
    private enum Body {
        case none
        /// The record of the item, as it was read.
        case record
        case text(String)
    }

    private static let item = "/admin/v1/items/topapp:harbor-notes"

    private let method: String
    private let path: String
    let status: Int
    private var body = Body.none
    /// Whether the request has an entity tag: that of the previous response, or another one if `isStale`.
    private var isConditional = false
    private var isStale = false
    /// Whether the response contains the record of the item.
    private(set) var isRecord = false
    private var isAuthorized = true

    /// The operations of one visit, in their order.
    static let all = [
        SoakOperation(method: "GET", path: "/admin/v1/feeds", status: 401, isAuthorized: false),
        SoakOperation(method: "GET", path: "/admin/v1/feeds", status: 200),
        SoakOperation(method: "GET", path: "/admin/v1/feeds/today/revisions", status: 200),
        SoakOperation(method: "GET", path: "/admin/v1/feeds/today:preview?storefront=us", status: 200),
        SoakOperation(method: "GET", path: "/admin/v1/feeds/nothing", status: 404),
        SoakOperation(method: "GET", path: "/admin/v1/audit?limit=10", status: 200),
        SoakOperation(method: "GET", path: item, status: 200, isRecord: true),
        SoakOperation(method: "PUT", path: item, status: 200, body: .record, isConditional: true),
        SoakOperation(method: "PUT", path: item, status: 412, body: .record, isConditional: true, isStale: true),
        SoakOperation(method: "POST", path: "/admin/v1/feeds/today:validate", status: 422, body: .text("{")),
    ]

    var description: String { "\(method) \(path)\(isStale ? " with a stale tag" : isAuthorized ? "" : " without a token")" }

    /// Returns the bytes of the request over HTTP/1.1.
    func request(token: String, tag: String, record: [UInt8]) -> [UInt8] {
        let content: [UInt8] =
            switch body {
            case .none: []
            case .record: record
            case .text(let text): Array(text.utf8)
            }
        var head = "\(method) \(path) HTTP/1.1\r\nhost: soak\r\n"
        if isAuthorized { head += "authorization: Bearer \(token)\r\n" }
        if isConditional { head += "if-match: \(isStale ? "\"stale\"" : tag)\r\n" }
        if method != "GET" { head += "content-type: application/json\r\ncontent-length: \(content.count)\r\n" }
        return Array("\(head)\r\n".utf8) + content
    }

    /// Returns the record of an item's state with another rating count, so that saving it is a change that clients see.
    static func record(in state: [UInt8]) throws -> [UInt8] {
        guard let state = try JSONSerialization.jsonObject(with: Data(state)) as? [String: Any],
            var record = state["record"] as? [String: Any]
        else { throw BenchmarkFailure(reason: "the item has no record") }
        record["rating"] = ["average": 4.5, "count": Int.random(in: 1_000...1_000_000)]
        return [UInt8](try JSONSerialization.data(withJSONObject: record))
    }
}
