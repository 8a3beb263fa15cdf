/// One record as JSON, whatever its format was, or the reason why it is unreadable.
struct RawRecord {
    let line: Int
    let content: Result<[UInt8], Reject>

    init(line: Int, _ json: [UInt8]) {
        self.line = line
        content = .success(json)
    }

    init(_ reject: Reject) {
        line = reject.line
        content = .failure(reject)
    }
}

extension Reject: Error {}
