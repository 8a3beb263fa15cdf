import Security

@testable import VitrineClient

extension LocalCopy {
    static var testing: LocalCopy { LocalCopy { Digest.sha256($0) } }

    var content: [EntityKey: String] { entries.compactMapValues { $0.content?.hash } }

    /// As it comes back from a file.
    var reread: LocalCopy {
        var copy = LocalCopy.testing
        edits { copy.apply($0) }
        return copy
    }

    /// What makes two copies go on alike.
    var state: String {
        let entries = entries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.version) \($0.value.content?.hash ?? "-")" }
        return "\(cursor ?? "-") \(version) \(isLoading) \(needsRepair) \(count) \(digest)\n" + entries.joined(separator: "\n")
    }
}
