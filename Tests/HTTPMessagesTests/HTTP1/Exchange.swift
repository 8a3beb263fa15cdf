import HTTPMessages

/// The outcome of the bytes of a connection that arrive in pieces, as one line for each request.
final class Exchange {
    private(set) var outcomes: [String] = []
    private var bytes: [UInt8] = []
    private var reader = HTTP1HeadReader()
    /// The head of the request whose body is being read.
    private var head: RequestHead?
    private var chunks = ChunkedReader()
    private var body: [UInt8] = []
    private var isOver = false

    /// Reads the input in pieces of the given sizes, and then the rest.
    init(_ input: [UInt8], pieces: some Sequence<Int> = []) {
        var rest = input[...]
        for size in pieces where !rest.isEmpty {
            receive(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        receive(rest)
        if !isOver, head != nil || !bytes.isEmpty { outcomes.append("\(head.map { $0.summary + " " } ?? "")incomplete") }
    }

    private func receive(_ piece: ArraySlice<UInt8>) {
        bytes += piece
        do throws(RequestError) {
            while !isOver, !bytes.isEmpty {
                let input = bytes
                let consumed = if let head { try readBody(of: head, input.span) } else { try readHead(input.span) }
                if consumed == 0 { return }
                bytes.removeFirst(consumed)
            }
        } catch {
            outcomes.append("\(head.map { $0.summary + " then " } ?? "")\(error.status.rawValue) \(error.reason)")
            isOver = true
        }
    }

    private func readHead(_ input: Span<UInt8>) throws(RequestError) -> Int {
        switch reader.read(input) {
        case .incomplete: return 0
        case .refused(let error): throw error
        case .head(let head, let count):
            reader = HTTP1HeadReader()
            if head.framing == .none {
                finish(head)
            } else {
                self.head = head
            }
            return count
        }
    }

    private func readBody(of head: RequestHead, _ input: Span<UInt8>) throws(RequestError) -> Int {
        var position = 0
        if case .length(let length) = head.framing {
            position = min(length - body.count, bytes.count)
            body += bytes[..<position]
            if body.count == length { finish(head) }
            return position
        }
        while true {
            switch try chunks.next(in: input, at: &position) {
            case .data(let range): body += bytes[range]
            case .incomplete: return position
            case .end:
                finish(head)
                return position
            }
        }
    }

    private func finish(_ head: RequestHead) {
        let text = String(decoding: body, as: UTF8.self).debugDescription
        outcomes.append(head.summary + (head.framing == .none ? "" : " " + text))
        isOver = !head.keepsAlive
        self.head = nil
        chunks = ChunkedReader()
        body = []
    }
}

extension RequestHead {
    /// A line with everything except the fields, of which it has the number.
    fileprivate var summary: String {
        var parts = ["\(method)", target.path.count > 80 ? "(\(target.path.utf8.count) bytes)" : target.path]
        let written =
            target.path == "*" ? [] : target.path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if !(target.path == "/" && target.segments.isEmpty), written != target.segments { parts.append("segments \(target.segments)") }
        if !target.query.items.isEmpty {
            parts.append(
                "query " + target.query.items.map { "\($0.name.debugDescription): \($0.value.debugDescription)" }.joined(separator: ", "))
        }
        parts.append(authority.map { "at \($0)" } ?? "at no host")
        parts.append(fields.count == 1 ? "1 field" : "\(fields.count) fields")
        if version != .http11 { parts.append("\(version)") }
        if expectsContinue { parts.append("continue") }
        switch framing {
        case .none, .frames: break
        case .length(let length): parts.append("length \(length)")
        case .chunked: parts.append("chunked")
        }
        if !keepsAlive { parts.append("close") }
        return parts.joined(separator: " ")
    }
}
