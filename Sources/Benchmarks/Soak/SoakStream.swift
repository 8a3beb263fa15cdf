/// The status and the events of one event stream, read as they arrive.
struct SoakStream {
    static let path = "/v1/us/sync/stream?locale=en"

    private(set) var status: Int?
    /// The number of events with changes.
    private(set) var events = 0
    private var rest: [UInt8] = []

    /// Handles the next bytes. Throws if the stream has ended or has another event than changes.
    mutating func receive(_ bytes: [UInt8]) throws(BenchmarkFailure) {
        guard !bytes.isEmpty else { throw BenchmarkFailure(reason: "the stream ended after \(events) events") }
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end], as: UTF8.self).trimmingSuffix { $0.isNewline }
            rest.removeSubrange(...end)
            if status == nil {
                status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
                guard status == 200 else { throw BenchmarkFailure(reason: "expected status 200, found \(line)") }
            } else if line.hasPrefix("event: ") {
                guard line == "event: changes" else { throw BenchmarkFailure(reason: "unexpected line in the stream: '\(line)'") }
                events += 1
            }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> Substring {
        var text = self[...]
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}
