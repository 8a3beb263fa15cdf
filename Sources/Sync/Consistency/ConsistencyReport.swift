/// What an audit has compared and found.
package struct ConsistencyReport: Sendable, Equatable {
    /// What is compared, in this order.
    package enum Subject: String, Sendable, CaseIterable {
        case feeds, items, memberships, buckets
    }

    package struct Count: Sendable, Equatable {
        package var compared = 0
        package var differences = 0
    }

    /// A bucket of digests that does not say what is in it.
    package struct BucketMismatch: Sendable, Hashable {
        package let storefront: String
        package let bucket: Int
    }

    package internal(set) var counts: [Subject: Count] = [:]
    /// Storefronts whose feeds were not compared, as changes waited all the time to be published.
    package internal(set) var late: [String] = []
    /// Feeds and revisions that this program cannot read, and so did not compare.
    package internal(set) var unreadable = 0

    package var differences: Int { counts.values.reduce(0) { $0 + $1.differences } }

    package subscript(_ subject: Subject) -> Count {
        get { counts[subject] ?? Count() }
        set { counts[subject] = newValue }
    }
}
