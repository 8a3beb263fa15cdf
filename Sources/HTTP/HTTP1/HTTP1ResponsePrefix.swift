internal import HTTPMessages

/// How the answers of a loop begin: the line of the status, the date and the fields that every answer has. Those of most answers are written
/// once a second and not once an answer.
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
