internal import Feeds
package import JSON
package import Sync

extension SyncAudit.Finding: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .document(let difference):
                json.member("kind", difference.kind.rawValue)
                json.member("id", difference.id)
                json.member("storefront", difference.storefront)
                json.member("flaw", difference.flaw.rawValue)
            case .bucket(let wrong):
                json.member("kind", "bucket")
                json.member("id", "\(wrong.bucket)")
                json.member("storefront", wrong.storefront)
                json.member("flaw", PublishedDifference.Flaw.other.rawValue)
            }
        }
    }

    /// As a sentence without its full stop.
    var words: String {
        switch self {
        case .document(let difference):
            let place = difference.storefront == "*" ? "" : " in \(difference.storefront)"
            let flaw =
                switch difference.flaw {
                case .missing: "is missing"
                case .surplus: "should not be there"
                case .other: "is another than it should be"
                case .damaged: "is not what its hash says"
                }
            return "\(difference.kind.rawValue) \(difference.id)\(place) \(flaw)"
        case .bucket(let wrong):
            let place = wrong.storefront == "*" ? "" : " of \(wrong.storefront)"
            return "bucket \(wrong.bucket)\(place) does not say what is in it"
        }
    }
}

extension AuditReport: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("differences", differences)
            for subject in Subject.allCases {
                json.member(subject.rawValue) { json in
                    json.member("compared", self[subject].compared)
                    json.member("differences", self[subject].differences)
                }
            }
            json.member("notCompared", late)
            json.member("unreadable", unreadable)
        }
    }
}
