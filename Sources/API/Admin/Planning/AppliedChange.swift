internal import Feeds
internal import JSON

/// What was done of a plan.
struct AppliedChange: JSONEncodable {
    private let change: PlannedChange
    /// The newest of its line now; nil for a feed as a whole.
    var revision: Int?
    /// Where it is shown from now on.
    var publication: Publication?
    /// What a review warns of in what is shown.
    var findings: [ReviewFinding]?

    init(_ change: PlannedChange) {
        self.change = change
        revision = change.line == nil ? nil : change.draft
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", change.feed)
            json.member("line", change.line)
            json.member("action", change.action)
            json.member("restores", change.restores, unless: false)
            json.member("revision", revision)
            json.member("publication", publication)
            json.member("findings", findings)
        }
    }
}
