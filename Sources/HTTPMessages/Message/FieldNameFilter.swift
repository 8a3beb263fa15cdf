internal import Synchronization

/// A set of field names, with one bit for each combination of the length with the first and the last letter. It contains at least the
/// names that were added, in any case.
package struct FieldNameFilter: Sendable, Hashable {
    private var marks: UInt64 = 0

    init() {}

    package init(_ names: [FieldName]) {
        for name in names { marks |= Self.mark(name) }
    }

    fileprivate init(marks: UInt64) { self.marks = marks }

    mutating func note(_ name: Span<UInt8>) { marks |= Self.mark(name) }

    /// Whether the set may contain the name. False is certain.
    func mayContain(_ name: FieldName) -> Bool { marks & Self.mark(name) != 0 }

    package func mayContain(_ name: Span<UInt8>) -> Bool { marks & Self.mark(name) != 0 }

    /// Whether the sets may have a name in common. False is certain.
    func mayIntersect(_ other: FieldNameFilter) -> Bool { marks & other.marks != 0 }

    func union(_ other: FieldNameFilter) -> FieldNameFilter { FieldNameFilter(marks: marks | other.marks) }

    /// Whether `other` may contain each name that this set may contain.
    func isSubset(of other: FieldNameFilter) -> Bool { marks & ~other.marks == 0 }

    fileprivate static func mark(_ name: FieldName) -> UInt64 {
        name.bytes.withUTF8Buffer { bytes in unsafe mark(bytes.count, bytes[0], bytes[bytes.count - 1]) }
    }

    private static func mark(_ name: Span<UInt8>) -> UInt64 {
        name.isEmpty ? 0 : mark(name.count, name[0], name[name.count - 1])
    }

    /// With these factors, the fields that differ between clients and those that proxies add have other bits than `declared` and
    /// `languages`.
    private static func mark(_ count: Int, _ first: UInt8, _ last: UInt8) -> UInt64 {
        1 << UInt64(truncatingIfNeeded: (8 &* count &+ 7 &* Int(first.lowercased) &+ 58 &* Int(last.lowercased)) & 63)
    }
}

/// The record of the names that were looked up in the fields of one request, in any thread, and of the use of its client.
final class FieldRecord: Sendable {
    private let marks = Atomic<UInt64>(0)
    private let client = Atomic(false)

    var names: FieldNameFilter { FieldNameFilter(marks: marks.load(ordering: .relaxed)) }

    func note(_ name: FieldName) {
        let mark = FieldNameFilter.mark(name)
        if marks.load(ordering: .relaxed) & mark == 0 { _ = marks.bitwiseOr(mark, ordering: .relaxed) }
    }

    var isOfClient: Bool { client.load(ordering: .relaxed) }

    func noteClient() { client.store(true, ordering: .relaxed) }

    func noteAll() { marks.store(.max, ordering: .relaxed) }
}
