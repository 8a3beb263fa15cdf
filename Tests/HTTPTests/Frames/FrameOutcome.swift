/// The server's reaction to frames in words: its responses, and how it refused.
struct FrameOutcome {
    let output: String

    init(_ frames: [Frames.Frame]) {
        var arguments: [String] = []
        var bodies: [UInt32: Int] = [:]
        for frame in frames {
            switch Frames.Kind(rawValue: frame.kind) {
            case .headers: arguments.append("\(frame.stream): \(Self.status(of: frame))")
            case .data: bodies[frame.stream, default: 0] += frame.payload.count
            case .reset: arguments.append("\(frame.stream): \(Self.name(of: frame.code))")
            case .goAway: arguments.append("end: \(Self.name(of: frame.code))")
            case .ping where frame.flags == 1: arguments.append("pong")
            default: break
            }
        }
        for (stream, count) in bodies.sorted(by: { $0.key < $1.key }) { arguments.append("\(stream): \(count) bytes") }
        self.output = arguments.isEmpty ? "nothing" : arguments.joined(separator: ", ")
    }

    /// Returns the status as nghttp2 writes it: from the static table or as a literal, after a change of the table's size.
    private static func status(of frame: Frames.Frame) -> String {
        let block = frame.payload.drop { $0 & 0xE0 == 0x20 }
        guard let first = block.first else { return "no status" }
        let known = [0x88: "200", 0x89: "204", 0x8A: "206", 0x8B: "304", 0x8C: "400", 0x8D: "404", 0x8E: "500"]
        if let status = known[Int(first)] { return status }
        guard first & 0x0F == 8, let count = block.dropFirst().first else { return "status \(first)" }
        let value = block.dropFirst(2)
        return count < 0x80 ? String(decoding: value.prefix(Int(count)), as: UTF8.self) : digits(value.prefix(Int(count & 0x7F)))
    }

    /// Returns three digits in Huffman code. The digits up to 2 have five bits, the others six.
    private static func digits(_ bytes: some Collection<UInt8>) -> String {
        var bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }[...]
        var text = ""
        for _ in 0..<3 {
            let isShort = bits.starts(with: [0, 0, 0])
            let value = bits.prefix(isShort ? 5 : 6).reduce(0) { $0 << 1 | Int($1) }
            text += "\(isShort ? value : value - 22)"
            bits = bits.dropFirst(isShort ? 5 : 6)
        }
        return text
    }

    private static func name(of code: UInt32) -> String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
            "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY",
            "HTTP_1_1_REQUIRED",
        ]
        return code < names.count ? names[Int(code)] : "code \(code)"
    }
}
