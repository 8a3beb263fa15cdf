internal import Feeds
package import JSON
internal import Publishing

extension ConsistencyChecker.Finding: JSONEncodable {
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
                json.member("flaw", DocumentMismatch.Reason.other.rawValue)
            }
        }
    }
}

extension ConsistencyReport: JSONEncodable {
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
