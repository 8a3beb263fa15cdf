package import Arguments
internal import Telemetry

extension ValueFormat where Value == [SyncKey] {
    /// Keys of sync with commas between them, the one that seals first; written without what is secret.
    package static var syncKeys: ValueFormat {
        ValueFormat(
            "ID:SECRET,…",
            read: { text throws(InvalidValue) in
                let keys = text.split(separator: ",", omittingEmptySubsequences: false).map { SyncKey(String($0)) }
                let known = keys.compactMap(\.self)
                guard known.count == keys.count, Set(known.map(\.id)).count == keys.count else {
                    throw InvalidValue(
                        expected: "keys as 2:…,1:…, each with another number up to 255 and \(SyncKey.fewestCharacters) characters at least")
                }
                return known
            },
            write: { keys in keys.isEmpty ? "none" : keys.map { "\($0.id):\(Secret.mask)" }.joined(separator: ",") })
    }
}
