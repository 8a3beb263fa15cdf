/// Unusual and invalid frames. They follow the preface unless they start with their own.
enum FrameCorpus {
    struct Case {
        let name: String
        let bytes: [UInt8]
        var hasPreface = true
        /// Whether the outcome depends on the pieces, because the server may answer a part of the bytes before the rest arrives.
        var dependsOnPieces = false
    }

    static let all = openings + settings + control + streams + blocks + heads + bodies

    private typealias F = Frames

    private static let magic = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let get = F.get("/a", stream: 1)

    private static let openings = [
        Case(name: "a preface that ends too soon", bytes: Array(magic.dropLast(3)), hasPreface: false),
        Case(name: "a preface with another end", bytes: Array(magic.dropLast(6)) + Array("XX\r\n\r\n".utf8), hasPreface: false),
        Case(name: "a preface without settings", bytes: magic + get, hasPreface: false),
        Case(name: "a preface with an acknowledgement for settings", bytes: magic + F.frame(.settings, flags: 1), hasPreface: false),
        Case(name: "nothing behind the preface", bytes: []),
        Case(name: "a second preface", bytes: magic),
        Case(name: "a request of HTTP/1.1", bytes: Array("GET /a HTTP/1.1\r\nHost: shop\r\n\r\n".utf8)),
        Case(name: "a request", bytes: get),
        Case(name: "three requests", bytes: get + F.get("/a", stream: 3) + F.get("/a", stream: 7)),
        Case(name: "a frame that ends too soon", bytes: Array(get.dropLast(2))),
    ]

    private static let settings = [
        Case(name: "settings that acknowledge with a payload", bytes: F.frame(.settings, flags: 1, [0, 3, 0, 0, 0, 1])),
        Case(name: "settings of five bytes", bytes: F.frame(.settings, [0, 3, 0, 0, 0])),
        Case(name: "settings of a stream", bytes: F.frame(.settings, stream: 1)),
        Case(name: "push neither on nor off", bytes: F.settings([(2, 2)])),
        Case(name: "push on", bytes: F.settings([(2, 1)]) + get),
        Case(name: "a window beyond 2^31", bytes: F.settings([(4, 0x8000_0000)])),
        Case(name: "frames below the least size", bytes: F.settings([(5, 16_383)])),
        Case(name: "frames above the largest size", bytes: F.settings([(5, 16_777_216)])),
        Case(name: "a setting that nobody knows", bytes: F.settings([(0xFF, 7)]) + get),
        Case(name: "the same setting twice", bytes: F.settings([(4, 1), (4, 65_535)]) + get),
        Case(name: "an acknowledgement too many", bytes: F.frame(.settings, flags: 1) + get),
        Case(name: "no table for headers", bytes: F.settings([(1, 0)]) + get),
        Case(name: "no window", bytes: F.settings([(4, 0)]) + get),
        Case(name: "a window that comes later", bytes: F.settings([(4, 0)]) + get + F.settings([(4, 100)])),
        Case(name: "a window by and by", bytes: F.settings([(4, 0)]) + get + F.frame(.window, stream: 1, F.bytes(4))),
        Case(
            name: "a window that overflows for a stream that is open",
            bytes: F.get("/never", stream: 1) + F.frame(.window, stream: 1, F.bytes(0x7FFF_0000)) + F.settings([(4, 0x7FFF_FFFF)])),
        Case(name: "a list of headers of no bytes", bytes: F.settings([(6, 0)]) + get),
        Case(name: "more settings than anybody has", bytes: F.settings((0..<40).map { (UInt16(0x100 + $0), 1) }) + get),
    ]

    private static let control = [
        Case(name: "a ping", bytes: F.frame(.ping, Array("vitrine!".utf8))),
        Case(name: "a ping of seven bytes", bytes: F.frame(.ping, [UInt8](repeating: 0, count: 7))),
        Case(name: "a ping on a stream", bytes: F.frame(.ping, stream: 1, [UInt8](repeating: 0, count: 8))),
        Case(name: "a pong that nobody asked for", bytes: F.frame(.ping, flags: 1, [UInt8](repeating: 0, count: 8)) + get),
        Case(name: "a ping with flags that nobody knows", bytes: F.frame(.ping, flags: 0xFE, [UInt8](repeating: 0, count: 8))),
        Case(name: "a goodbye", bytes: F.frame(.goAway, F.bytes(0) + F.bytes(0))),
        Case(name: "a goodbye before the response", bytes: get + F.frame(.goAway, F.bytes(0) + F.bytes(0))),
        Case(name: "a goodbye of seven bytes", bytes: F.frame(.goAway, [UInt8](repeating: 0, count: 7))),
        Case(name: "a goodbye on a stream", bytes: F.frame(.goAway, stream: 1, F.bytes(0) + F.bytes(0))),
        Case(name: "a goodbye with words", bytes: F.frame(.goAway, F.bytes(0) + F.bytes(0) + Array("enough".utf8))),
        Case(name: "no more window", bytes: F.frame(.window, F.bytes(0))),
        Case(name: "a window of three bytes", bytes: F.frame(.window, [0, 0, 1])),
        Case(name: "a window for everything beyond 2^31", bytes: F.frame(.window, F.bytes(0x7FFF_FFFF))),
        Case(name: "no more window for a stream", bytes: F.get("/never", stream: 1) + F.frame(.window, stream: 1, F.bytes(0))),
        Case(
            name: "a window for a stream beyond 2^31",
            bytes: F.get("/never", stream: 1) + F.frame(.window, stream: 1, F.bytes(0x7FFF_FFFF))),
        Case(name: "a window for a stream that is not open", bytes: F.frame(.window, stream: 1, F.bytes(1))),
        Case(name: "a window for a stream that is closed", bytes: get + F.frame(.window, stream: 1, F.bytes(1)) + F.get("/a", stream: 3)),
        Case(
            name: "a kind of frame that nobody knows",
            bytes: Array(F.frame(.data, [1, 2]).prefix(3)) + [0xEE, 0xFF, 0, 0, 0, 0, 1, 2] + get),
        Case(
            name: "an unknown frame beyond the limit",
            bytes: [0, 0x40, 1, 0xEE, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 16_385)),
        Case(name: "a promise", bytes: F.frame(.push, flags: 4, stream: 1, F.bytes(2) + [0x82])),
    ]

    private static let streams = [
        Case(name: "headers of stream 0", bytes: F.get("/a", stream: 0)),
        Case(name: "headers of an even stream", bytes: F.get("/a", stream: 2)),
        Case(name: "a stream with a number below the last", bytes: F.get("/a", stream: 5) + F.get("/a", stream: 3)),
        Case(name: "a stream once more", bytes: get + get, dependsOnPieces: true),
        Case(name: "the reserved bit", bytes: F.get("/a", stream: 0x8000_0001)),
        Case(name: "the last stream that there is", bytes: F.get("/a", stream: 0x7FFF_FFFF)),
        Case(name: "headers with a priority", bytes: F.frame(.headers, flags: 0x25, stream: 1, F.bytes(0) + [15] + get.dropFirst(9))),
        Case(
            name: "headers of a stream that depends on itself",
            bytes: F.frame(.headers, flags: 0x25, stream: 1, F.bytes(1) + [15] + get.dropFirst(9))),
        Case(name: "headers with half a priority", bytes: F.frame(.headers, flags: 0x25, stream: 1, [0, 0])),
        Case(name: "padded headers", bytes: F.frame(.headers, flags: 0xD, stream: 1, [3] + get.dropFirst(9) + [0, 0, 0])),
        Case(name: "headers with more padding than bytes", bytes: F.frame(.headers, flags: 0xD, stream: 1, [200] + get.dropFirst(9))),
        Case(name: "a priority", bytes: F.frame(.priority, stream: 1, F.bytes(0) + [15]) + get),
        Case(name: "a priority of four bytes", bytes: F.frame(.priority, stream: 1, F.bytes(0)) + get),
        Case(name: "a priority of stream 0", bytes: F.frame(.priority, F.bytes(0) + [15])),
        Case(name: "a stream that depends on itself", bytes: F.frame(.priority, stream: 1, F.bytes(1) + [15]) + get),
        Case(name: "a reset of stream 0", bytes: F.frame(.reset, F.bytes(8))),
        Case(name: "a reset of a stream that is not open", bytes: F.frame(.reset, stream: 1, F.bytes(8))),
        Case(name: "a reset of three bytes", bytes: F.get("/never", stream: 1) + F.frame(.reset, stream: 1, [0, 0, 8])),
        Case(
            name: "a reset before the response",
            bytes: F.get("/never", stream: 1) + F.frame(.reset, stream: 1, F.bytes(8)) + F.get("/a", stream: 3)),
        Case(
            name: "a reset after the response", bytes: get + F.frame(.reset, stream: 1, F.bytes(8)) + F.get("/a", stream: 3),
            dependsOnPieces: true),
        Case(name: "headers behind a reset", bytes: F.get("/never", stream: 1) + F.frame(.reset, stream: 1, F.bytes(8)) + get),
        Case(
            name: "data behind a reset",
            bytes: F.get("/never", stream: 1) + F.frame(.reset, stream: 1, F.bytes(8)) + F.frame(.data, stream: 1, [1])),
    ]

    private static let fields = F.block([(":method", "GET"), (":scheme", "http"), (":path", "/a"), (":authority", "shop")])

    private static let blocks = [
        Case(
            name: "headers in four frames",
            bytes: F.frame(.headers, flags: 1, stream: 1, Array(fields[..<9])) + F.frame(.continuation, stream: 1, Array(fields[9..<20]))
                + F.frame(.continuation, stream: 1) + F.frame(.continuation, flags: 4, stream: 1, Array(fields[20...]))),
        Case(name: "a continuation of nothing", bytes: F.frame(.continuation, flags: 4, stream: 1, fields)),
        Case(name: "a continuation of stream 0", bytes: F.frame(.headers, flags: 1, stream: 1) + F.frame(.continuation, flags: 4, fields)),
        Case(
            name: "a continuation of another stream",
            bytes: F.frame(.headers, flags: 1, stream: 1) + F.frame(.continuation, flags: 4, stream: 3, fields)),
        Case(
            name: "a continuation behind the end", bytes: get + F.frame(.continuation, flags: 4, stream: 1, fields), dependsOnPieces: true),
        Case(
            name: "a ping between headers and their continuation",
            bytes: F.frame(.headers, flags: 1, stream: 1) + F.frame(.ping, [UInt8](repeating: 0, count: 8))),
        Case(name: "headers before others have ended", bytes: F.frame(.headers, flags: 1, stream: 1) + F.get("/a", stream: 3)),
        Case(
            name: "headers that never end",
            bytes: F.frame(.headers, flags: 1, stream: 1)
                + (0..<20).flatMap { _ in F.frame(.continuation, stream: 1, F.block([("x", "y")])) }, dependsOnPieces: true),
        Case(name: "an entry 0 of the table", bytes: F.frame(.headers, flags: 5, stream: 1, [0x80])),
        Case(name: "an entry beyond the table", bytes: F.frame(.headers, flags: 5, stream: 1, [0xFF, 0x40])),
        Case(name: "a number without an end", bytes: F.frame(.headers, flags: 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F])),
        Case(name: "a table beyond the limit", bytes: F.frame(.headers, flags: 5, stream: 1, [0x3F, 0xFF, 0xFF, 0x03] + fields)),
        Case(name: "a table without room", bytes: F.frame(.headers, flags: 5, stream: 1, [0x20] + fields)),
        Case(name: "a size of the table behind fields", bytes: F.frame(.headers, flags: 5, stream: 1, fields + [0x20])),
        Case(name: "a text that ends too soon", bytes: F.frame(.headers, flags: 5, stream: 1, [0x82, 0x86, 0x04, 0x09, 0x2F])),
        Case(name: "padding that is no Huffman code", bytes: F.frame(.headers, flags: 5, stream: 1, [0x82, 0x86, 0x04, 0x81, 0x00])),
        Case(name: "the code for the end in a text", bytes: F.frame(.headers, flags: 5, stream: 1, [0x04, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])),
        Case(name: "headers beyond the limit of a frame", bytes: [0, 0x40, 1, 1, 5, 0, 0, 0, 1] + [UInt8](repeating: 0x82, count: 16_385)),
        Case(name: "no headers", bytes: F.frame(.headers, flags: 5, stream: 1)),
    ]

    /// Returns a request with additional fields before or after the required ones, or in place of one of them.
    private static func head(_ name: String, _ more: [(String, String)], without missing: String? = nil, first: [(String, String)] = [])
        -> Case
    {
        let usual = [(":method", "GET"), (":scheme", "http"), (":path", "/a"), (":authority", "shop")].filter { $0.0 != missing }
        return Case(name: name, bytes: F.headers(first + usual + more))
    }

    private static let heads = [
        head("no method", [], without: ":method"), head("no scheme", [], without: ":scheme"), head("no path", [], without: ":path"),
        head("no authority", [], without: ":authority"),
        head("a host in place of the authority", [("host", "shop")], without: ":authority"),
        head("a host beside the authority", [("host", "other")]), head("two hosts", [("host", "a"), ("host", "b")], without: ":authority"),
        head("an empty path", [], without: ":path", first: [(":path", "")]),
        head("an empty authority", [], without: ":authority", first: [(":authority", "")]),
        head("an authority with a user", [], without: ":authority", first: [(":authority", "ada@shop")]),
        head("an authority with a blank", [], without: ":authority", first: [(":authority", "sh op")]),
        head("an authority with a port", [], without: ":authority", first: [(":authority", "shop:443")]),
        head("an authority with a port that is none", [], without: ":authority", first: [(":authority", "shop:x")]),
        head("two methods", [], first: [(":method", "GET")]), head("two paths", [], first: [(":path", "/b")]),
        head("a pseudo field behind others", [("x", "y"), (":late", "a")]),
        head("a pseudo field of responses", [], first: [(":status", "200")]),
        head("a pseudo field that nobody knows", [], first: [(":colour", "red")]),
        head("the protocol of a tunnel", [], first: [(":protocol", "websocket")]),
        head("a name with a capital", [("Accept", "*/*")]), head("a name with a blank", [("a b", "c")]), head("an empty name", [("", "a")]),
        head("a name with a colon", [("a:b", "c")]), head("an empty value", [("x", "")]), head("a value with a line feed", [("x", "a\nb")]),
        head("a value with a carriage return", [("x", "a\rb")]), head("a value with U+0000", [("x", "a\0b")]),
        head("a value with blanks around it", [("x", " a ")]), head("a value beyond ASCII", [("x", "ü")]),
        head("a field of connections", [("connection", "close")]), head("an upgrade", [("upgrade", "h2c")]),
        head("keep-alive", [("keep-alive", "5")]), head("a field of proxies", [("proxy-connection", "close")]),
        head("a transfer coding", [("transfer-encoding", "chunked")]), head("te for trailers", [("te", "trailers")]),
        head("te for gzip", [("te", "gzip")]), head("a length without a body", [("content-length", "5")]),
        head("a length that is no number", [("content-length", "5x")]), head("a length below zero", [("content-length", "-1")]),
        head("two lengths", [("content-length", "0"), ("content-length", "0")]),
        head("a cookie in two", [("cookie", "a=b"), ("cookie", "c=d")]),
        head("a path without a slash", [], without: ":path", first: [(":path", "a")]),
        head("a path with a fragment", [], without: ":path", first: [(":path", "/a#b")]),
        head("a path with U+0000", [], without: ":path", first: [(":path", "/a%00")]),
        head("a path with a slash that is escaped", [], without: ":path", first: [(":path", "/a%2fb")]),
        head("a path that leads up", [], without: ":path", first: [(":path", "/../etc/passwd")]),
        head("a path with half an escape", [], without: ":path", first: [(":path", "/a%2")]),
        head("a path with a blank", [], without: ":path", first: [(":path", "/a b")]),
        head("a whole URL for a path", [], without: ":path", first: [(":path", "http://shop/a")]),
        head("an asterisk of GET", [], without: ":path", first: [(":path", "*")]),
        head("HEAD", [], without: ":method", first: [(":method", "HEAD")]),
        head("a method that nobody knows", [], without: ":method", first: [(":method", "BREW")]),
        head("a method that is no word", [], without: ":method", first: [(":method", "G ET")]),
        head("an empty method", [], without: ":method", first: [(":method", "")]),
        head("a scheme that nobody knows", [], without: ":scheme", first: [(":scheme", "gopher")]),
        head("more headers than the limit", (0..<110).map { ("x\($0)", "y") }),
        head(
            "more bytes of headers than the limit",
            (0..<90).map { _ in ("x", String(repeating: "y", count: 120)) }
                + (0..<20).map { ("z\($0)", String(repeating: "y", count: 120)) }),
        Case(name: "CONNECT", bytes: F.headers([(":method", "CONNECT"), (":authority", "shop:443")])),
        Case(
            name: "CONNECT with a path",
            bytes: F.headers([(":method", "CONNECT"), (":authority", "shop:443"), (":path", "/a"), (":scheme", "http")])),
        Case(
            name: "OPTIONS of the server",
            bytes: F.headers([(":method", "OPTIONS"), (":scheme", "http"), (":path", "*"), (":authority", "shop")])),
        Case(name: "a request between good ones", bytes: get + F.headers([(":method", "GET")], stream: 3) + F.get("/a", stream: 5)),
    ]

    private static func post(_ more: [(String, String)] = []) -> [UInt8] {
        F.headers([(":method", "POST"), (":scheme", "http"), (":path", "/p"), (":authority", "shop")] + more, flags: 4)
    }

    private static let bodies = [
        Case(name: "a body", bytes: post() + F.frame(.data, flags: 1, stream: 1, [1, 2, 3])),
        Case(
            name: "a body in pieces",
            bytes: post() + F.frame(.data, stream: 1, [1]) + F.frame(.data, stream: 1) + F.frame(.data, flags: 1, stream: 1, [2])),
        Case(name: "a padded body", bytes: post() + F.frame(.data, flags: 9, stream: 1, [2, 7, 0, 0])),
        Case(name: "a body of padding", bytes: post() + F.frame(.data, flags: 9, stream: 1, [2, 0, 0])),
        Case(name: "more padding than data", bytes: post() + F.frame(.data, flags: 9, stream: 1, [9, 7])),
        Case(name: "padding without its length", bytes: post() + F.frame(.data, flags: 9, stream: 1)),
        Case(name: "data of stream 0", bytes: F.frame(.data, [1])),
        Case(name: "data of a stream that is not open", bytes: F.frame(.data, stream: 1, [1])),
        Case(name: "data behind the end", bytes: F.get("/never", stream: 1) + F.frame(.data, stream: 1, [1]), dependsOnPieces: true),
        Case(name: "data of a stream that is closed", bytes: get + F.frame(.data, stream: 1, [1]), dependsOnPieces: true),
        Case(
            name: "data beyond the limit of a frame", bytes: post() + [0, 0x40, 1, 0, 1, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 16_385)),
        Case(name: "as much as was announced", bytes: post([("content-length", "3")]) + F.frame(.data, flags: 1, stream: 1, [1, 2, 3])),
        Case(name: "less than was announced", bytes: post([("content-length", "3")]) + F.frame(.data, flags: 1, stream: 1, [1, 2])),
        Case(name: "more than was announced", bytes: post([("content-length", "3")]) + F.frame(.data, flags: 1, stream: 1, [1, 2, 3, 4])),
        Case(name: "more than the server takes was announced", bytes: post([("content-length", "100001")])),
        Case(name: "a body that is never complete", bytes: post() + F.frame(.data, stream: 1, [1])),
        Case(name: "trailers", bytes: post() + F.frame(.data, stream: 1, [1]) + F.headers([("x", "y")])),
        Case(
            name: "trailers that do not end the stream", bytes: post() + F.frame(.data, stream: 1, [1]) + F.headers([("x", "y")], flags: 4)),
        Case(name: "trailers with a pseudo field", bytes: post() + F.frame(.data, stream: 1, [1]) + F.headers([(":path", "/b")])),
        Case(name: "trailers behind the end", bytes: get + F.headers([("x", "y")]), dependsOnPieces: true),
        Case(name: "an expectation", bytes: post([("expect", "100-continue")]) + F.frame(.data, flags: 1, stream: 1, [1])),
    ]
}
