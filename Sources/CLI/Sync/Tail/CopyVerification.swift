internal import JSON
internal import Values
internal import VitrineClient

struct CopyVerification: JSONObjectEncodable {
    struct Wrong {
        private static let maxPrinted = 20

        let buckets: Int
        /// The differences in the first buckets.
        let differences: [CopyComparison.Difference]

        var text: String {
            let printed = differences.prefix(Self.maxPrinted).map { "  \($0.kind.rawValue) \($0.key.description.printable(limit: 120))" }
            let rest = differences.count > printed.count ? ["  and \(differences.count - printed.count) more"] : []
            return (["mismatch: \(buckets) buckets differ"] + printed + rest).joined(separator: "\n")
        }
    }

    let entries: Int
    let version: Int
    let digest: String
    /// The differences; nil if the local copy is correct.
    let wrong: Wrong?

    var text: String { (wrong?.text ?? "verified: \(entries) entities at version \(version), digest \(digest)") + "\n" }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("verified", wrong == nil)
        json.member("entryCount", entries)
        json.member("version", version)
        json.member("digest", digest)
        guard let wrong else { return }
        json.member("bucketCount", wrong.buckets)
        json.member("mismatches", each: wrong.differences) { json, difference in
            json.object { json in
                json.member("reason", difference.kind.rawValue)
                json.member("kind", difference.key.kind)
                json.member("id", difference.key.id)
            }
        }
    }
}
