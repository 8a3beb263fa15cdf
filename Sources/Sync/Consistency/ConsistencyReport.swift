internal import Feeds
package import JSON
internal import Publishing

package struct ConsistencyReport: Sendable, Equatable {
    /// The kinds of published data, in the order of their comparison.
    package enum Subject: String, Sendable, CaseIterable {
        case storefronts, feeds, items, memberships, buckets
    }

    package struct Count: Sendable, Equatable {
        package var compared = 0
        package var differences = 0
    }

    package struct BucketMismatch: Sendable, Hashable {
        package let storefront: String
        /// The number of the bucket, or nil if the sum of all buckets differs.
        package let bucket: Int?
    }

    package internal(set) var counts: [Subject: Count] = [:]
    /// The storefronts whose feeds were not compared, because changes waited in the outbox the whole time.
    package internal(set) var late: [String] = []
    /// The number of feeds and revisions that this version of the program cannot read and did not compare.
    package internal(set) var unreadable = 0

    package var differences: Int { counts.values.reduce(0) { $0 + $1.differences } }

    package subscript(_ subject: Subject) -> Count {
        get { counts[subject] ?? Count() }
        set { counts[subject] = newValue }
    }
}

extension ConsistencyChecker.Finding: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .document(let difference):
            json.member("kind", difference.kind.rawValue)
            json.member("id", difference.id)
            json.member("storefront", difference.storefront)
            json.member("reason", difference.flaw.rawValue)
        case .storefront(let key, let flaw):
            json.member("kind", "storefront")
            json.member("id", key)
            json.member("storefront", key)
            json.member("reason", flaw.rawValue)
        case .bucket(let wrong):
            json.member("kind", "bucket")
            json.member("id", wrong.bucket.map { "\($0)" } ?? "*")
            json.member("storefront", wrong.storefront)
            json.member("reason", DocumentMismatch.Reason.other.rawValue)
        }
    }
}

extension ConsistencyReport: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("differenceCount", differences)
        for subject in Subject.allCases {
            json.member(subject.rawValue) { json in
                json.member("comparedCount", self[subject].compared)
                json.member("differenceCount", self[subject].differences)
            }
        }
        json.member("skipped", late)
        json.member("unreadableCount", unreadable)
    }
}
