import Security

@testable import VitrineClient

extension LocalCopy {
    static var testing: LocalCopy { LocalCopy { Digest.sha256($0) } }

    var content: [EntityKey: String] { entries.compactMapValues { $0.content?.hash } }

    /// The copy as it is read again from a file.
    var reread: LocalCopy {
        var copy = LocalCopy.testing
        edits { copy.apply($0) }
        return copy
    }

    /// The state that decides how a copy continues. Two copies with equal states behave the same.
    var state: String {
        let entries = entries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.version) \($0.value.content?.hash ?? "-")" }
        return "\(cursor ?? "-") \(version) \(isLoading) \(needsRepair) \(count) \(digest)\n" + entries.joined(separator: "\n")
    }
}
