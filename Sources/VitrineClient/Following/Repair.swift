/// A repair under way: what is to be listed, what was listed, what is to be fetched.
struct Repair {
    /// What a server lists at once.
    static let maxBuckets = 256
    static let maxItems = 100

    /// An entity that is not stored as it was listed.
    struct Missing {
        let key: EntityKey
        let version: Int
        /// Of its document alone.
        let ownVersion: Int
        let hash: String
    }

    /// A list that is of use once the copy is as far as it.
    struct List {
        let buckets: Set<Int>
        let head: Int
        let entries: [EntityKey: BucketListResponse.Entry]
    }

    let bits: Int
    /// Not yet listed.
    var buckets: [Int]
    var batch = maxBuckets
    var list: List?
    /// How many pages since the list had a head below that of the list.
    var shortPages = 0
    var missing: [Missing] = []
    /// Whether something that was listed could not be had.
    var hasGaps = false

    var nextBuckets: [Int] { Array(buckets.prefix(batch)) }
    var nextItems: ArraySlice<Missing> { missing.prefix(Self.maxItems) }

    /// What has to be done so that the buckets are as listed, and what is to be fetched for it.
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
                // A list is the truth up to its head, on what is gone as well.
                case let stored? where stored.content == nil: stored.version <= list.head
                case let stored?: stored.version <= list.head && stored.content?.hash != listed.hash
                }
            if isMissing {
                missing.append(Missing(key: key, version: listed.version, ownVersion: listed.ownVersion, hash: listed.hash))
            } else if let stored = copy.entries[key], let content = stored.content, stored.version < listed.version {
                // What a fork has set back is as new as the list.
                edits.append(.repair(key, version: listed.version, content))
            }
        }
        return (edits, missing)
    }
}
