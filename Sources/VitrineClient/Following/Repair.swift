/// The state of a repair: buckets to list, listed entries and documents to fetch.
struct Repair {
    /// The maximum number of buckets in one request.
    static let maxBuckets = 256
    static let maxItems = 100

    /// A listed entity whose stored content differs.
    struct Missing {
        let key: EntityKey
        let version: Int
        /// The version of the document itself.
        let ownVersion: Int
        let hash: String
    }

    /// A list that can be applied when the copy has reached its head.
    struct List {
        let buckets: Set<Int>
        let head: Int
        let entries: [EntityKey: BucketListResponse.Entry]
    }

    let bits: Int
    /// The buckets that are not listed yet.
    var buckets: [Int]
    var batch = maxBuckets
    var list: List?
    /// The number of pages since the list whose head was below the head of the list.
    var shortPages = 0
    var missing: [Missing] = []
    /// Whether a listed document was not available.
    var hasGaps = false

    var nextBuckets: [Int] { Array(buckets.prefix(batch)) }
    var nextItems: ArraySlice<Missing> { missing.prefix(Self.maxItems) }

    /// Returns the mutations that bring the buckets to the listed state, and the documents to fetch.
    static func judge(_ list: List, bits: Int, in copy: LocalCopy) -> (edits: [CopyMutation], missing: [Missing]) {
        var edits: [CopyMutation] = []
        for key in copy.activeKeys(in: list.buckets, bits: bits).sorted() where list.entries[key] == nil {
            if let stored = copy.entries[key], stored.version <= list.head { edits.append(.repair(key, version: list.head, nil)) }
        }
        var missing: [Missing] = []
        for (key, listed) in list.entries.sorted(by: { $0.key < $1.key }) {
            let isMissing =
                switch copy.entries[key] {
                case nil: true
                // A list is authoritative up to its head, also about deleted entities.
                case let stored? where stored.content == nil: stored.version <= list.head
                case let stored?: stored.version <= list.head && stored.content?.hash != listed.hash
                }
            if isMissing {
                missing.append(Missing(key: key, version: listed.version, ownVersion: listed.ownVersion, hash: listed.hash))
            } else if let stored = copy.entries[key], let content = stored.content, stored.version < listed.version {
                // An entity whose version a fork has lowered is as new as the list.
                edits.append(.repair(key, version: listed.version, content))
            }
        }
        return (edits, missing)
    }
}
