internal import HTTPMessages

/// The start of the responses of a loop: the status line, the date and the common fields. The starts of most responses are written once a
/// second instead of once per response.
struct HTTP1ResponsePrefix {
    private let fields: PrebuiltHeaders
    private var ok: [UInt8] = []
    private var notModified: [UInt8] = []
    private var rest: [UInt8] = []

    init(_ fields: PrebuiltHeaders) { self.fields = fields }

    mutating func update(_ date: CachedDateHeader) {
        rest.removeAll(keepingCapacity: true)
        rest.append("\r\ndate: ")
        rest.append(contentsOf: date.bytes)
        rest.append("\r\n")
        rest.append(contentsOf: fields.lines)
        ok = Self.line(.ok) + rest
        notModified = Self.line(.notModified) + rest
    }

    func append(of status: Status, to head: inout [UInt8]) {
        switch status {
        case .ok: head.append(contentsOf: ok)
        case .notModified: head.append(contentsOf: notModified)
        default:
            head.append(contentsOf: Self.line(status))
            head.append(contentsOf: rest)
        }
    }

    private static func line(_ status: Status) -> [UInt8] { Array("HTTP/1.1 \(status)".utf8) }
}
