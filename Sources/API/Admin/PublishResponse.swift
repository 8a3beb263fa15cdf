internal import Feeds
internal import JSON

/// What is shown from now on or will be, and what a review warns of.
struct PublishResponse: JSONEncodable {
    let publication: Publication
    let findings: [ReviewFinding]

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("publication", publication)
            json.member("findings", findings)
        }
    }
}
