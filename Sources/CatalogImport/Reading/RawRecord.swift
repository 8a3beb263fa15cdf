/// One record as JSON, whatever it was written in, or why there is none.
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
