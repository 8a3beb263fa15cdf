/// The subject of a request of the soak.
enum SoakKind: String, CaseIterable {
    case page = "pages"
    case list = "lists"
    case sync = "sync pages"
    case stream = "event streams"
    case admin = "admin operations"
    case operation = "health and metrics"
    case unknown = "unknown paths"
}

/// The numbers of expected and unexpected responses by subject.
struct SoakTally: Sendable {
    private(set) var expected: [SoakKind: Int] = [:]
    private(set) var failed: [SoakKind: Int] = [:]
    /// The failure messages of the report, with their counts.
    private(set) var failures: [String: Int] = [:]

    var responses: Int { expected.values.reduce(0, +) + failed.values.reduce(0, +) }

    mutating func count(_ kind: SoakKind, _ status: Int, expected requested: Int, _ request: String) {
        if status == requested {
            expected[kind, default: 0] += 1
        } else {
            fail(kind, "\(request): status \(status) instead of \(requested)")
        }
    }

    /// Counts requests without a response.
    mutating func countMissing(_ kind: SoakKind, _ count: Int, _ request: String) {
        for _ in 0..<count { fail(kind, "\(request): no response") }
    }

    mutating func fail(_ kind: SoakKind, _ failure: String) {
        failed[kind, default: 0] += 1
        failures[failure, default: 0] += 1
    }

    static func += (sum: inout SoakTally, other: SoakTally) {
        sum.expected.merge(other.expected) { $0 + $1 }
        sum.failed.merge(other.failed) { $0 + $1 }
        sum.failures.merge(other.failures) { $0 + $1 }
    }
}
