internal import Feeds
internal import JSON

/// What was done of a plan.
struct AppliedChange: JSONEncodable {
    private let change: PlannedChange
    /// The newest of its line now; nil for a feed as a whole.
    var revision: Int?
    /// Where it is shown from now on.
    var publication: Publication?

    init(_ change: PlannedChange) {
        self.change = change
        revision = change.draft
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", change.feed)
            json.member("line", change.line)
            json.member("action", change.action)
            json.member("restores", change.restores, unless: false)
            json.member("revision", revision)
            json.member("publication", publication)
        }
    }
}
