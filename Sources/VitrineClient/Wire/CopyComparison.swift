/// Where a copy and the server's digests differ, for those who want to know and not only to be mended.
public struct CopyComparison: Sendable, Equatable {
    public struct Difference: Sendable, Equatable {
        public enum Kind: String, Sendable {
            /// The server has it.
            case missing
            /// The copy alone has it.
            case extra
            /// Both have it, with other contents.
            case other
        }

        public let key: EntityKey
        public let kind: Kind
    }

    public let bits: Int
    /// Those that differ.
    public let buckets: [Int]

    /// Nil where the body is no answer to `SyncRequest.digests`.
    public init?(_ body: [UInt8], with copy: LocalCopy) {
        do throws(ResponseDecoder.Refusal) {
            let answer = try DigestsResponse(body)
            bits = answer.bits
            buckets = answer.differences(from: copy)
        } catch { return nil }
    }

    /// What to ask for the differences of the first buckets.
    public var request: SyncRequest { .bucketList(bits: bits, buckets: Array(buckets.prefix(Repair.mostBuckets))) }

    /// Those of the buckets that were asked for and are listed; nil where the body is no answer to that.
    public func differences(_ body: [UInt8], with copy: LocalCopy) -> [Difference]? {
        let answer: BucketListResponse
        do throws(ResponseDecoder.Refusal) { answer = try BucketListResponse(body) } catch { return nil }
        var differences = copy.living(in: Set(answer.listed ?? Array(buckets.prefix(Repair.mostBuckets))), bits: bits)
            .filter { answer.entries[$0] == nil }
            .map { Difference(key: $0, kind: .extra) }
        for (key, entry) in answer.entries {
            guard let content = copy[key] else {
                differences.append(Difference(key: key, kind: .missing))
                continue
            }
            if content.hash != entry.hash { differences.append(Difference(key: key, kind: .other)) }
        }
        return differences.sorted { $0.key < $1.key }
    }
}
