/// One event of a stream, as `text/event-stream` has it.
package struct ServerSentEvent: Sendable, Equatable {
    /// What happened; nil for what clients take as a message.
    package var name: String?
    /// What a client sends back as Last-Event-ID when it comes again, to go on behind this one.
    package var id: String?
    /// Without it nobody is told of the event, and its id and the pause are remembered all the same.
    package var data: [UInt8]?
    /// For how long a client waits before it comes again.
    package var retry: Duration?

    package init(name: String? = nil, id: String? = nil, data: [UInt8]? = nil, retry: Duration? = nil) {
        self.name = name
        self.id = id
        self.data = data
        self.retry = retry
    }

    package init(name: String? = nil, id: String? = nil, data: String, retry: Duration? = nil) {
        self.init(name: name, id: id, data: Array(data.utf8), retry: retry)
    }

    /// A line for each field and for each line of the data, and an empty one.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if let name { Self.append("event", Self.line(name), to: &bytes) }
        if let id { Self.append("id", Self.line(id), to: &bytes) }
        if let retry { Self.append("retry", Array(String(max(0, Int64(retry / .milliseconds(1)))).utf8)[...], to: &bytes) }
        if let data { for line in Self.lines(data) { Self.append("data", line, to: &bytes) } }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func append(_ name: StaticString, _ value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(name)
        bytes.append(": ")
        bytes.append(contentsOf: value)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// What would end the line is replaced by a blank, and so is U+0000, with which a client drops an id.
    private static func line(_ text: String) -> ArraySlice<UInt8> {
        text.utf8.map { [0x00, 0x0A, 0x0D].contains($0) ? 0x20 : $0 }[...]
    }

    /// A line ends with LF, CR, or both.
    private static func lines(_ data: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var place = 0
        while place < data.count {
            let byte = data[place]
            place += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            lines.append(data[start..<(place - 1)])
            if byte == 0x0D, place < data.count, data[place] == 0x0A { place += 1 }
            start = place
        }
        return lines + [data[start...]]
    }
}
