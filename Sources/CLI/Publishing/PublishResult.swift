internal import Arguments
internal import Feeds
import Host
internal import JSON
internal import Layout
internal import ScreenFiles
internal import Values

/// What was published, with what was looked at before.
struct PublishResult: JSONEncodable {
    let look: ChangeSummary
    /// Nil where the server told none that this program knows.
    let publication: Publication?
    /// What was done: `Published`.
    let verb: String

    init(_ look: ChangeSummary, _ answer: RemoteResponse, verb: String) {
        self.look = look
        publication = answer.document?["publication"].flatMap { Publication($0) }
        self.verb = verb
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("publication", publication)
            look.encodeMembers(to: &json)
        }
    }
}

extension Console {
    /// Prints what a publication would change: on standard error where standard output is for programs.
    func show(_ look: ChangeSummary, in zone: TimeZone, on stream: StandardStream = .output) throws {
        let environment = try ScreenMatrix.builtIn()["iphone"]?.environment ?? LayoutEnvironment(width: 390, height: 844)
        try stream.write(look.text(in: zone, on: environment, width: stream.width, isColored: isColored(stream)))
    }

    /// Says why what has errors, or no room, is not published; `flags` lead another command to the same server.
    func refuse(_ look: ChangeSummary, _ flags: String) -> ExitCode {
        let errors = look.errors
        if errors.isEmpty, let obstacle = look.obstacles.first {
            complain(
                "publication \(obstacle.id) of \(look.feed) has that time already",
                advice: "Choose another time, or take it away: \(program) schedule cancel \(look.feed) \(obstacle.id)\(flags)")
            return look.exitCode
        }
        complain(
            "revision \(look.revision.number) of \(look.feed) has \(errors.count == 1 ? "an error" : "\(errors.count) errors")",
            advice: errors.map(\.line).joined(separator: "\n"))
        return look.exitCode
    }

    /// Says on standard error what was done and what to do next.
    func tell(_ outcome: PublishResult, in zone: TimeZone, isTable: Bool, _ flags: String) throws {
        let (look, publication) = (outcome.look, outcome.publication)
        if !isTable { try printJSON(outcome) }
        let number = publication.map { " as publication \($0.id)" } ?? ""
        let start = look.from.map { "from \($0.clock(in: zone)) \(zone.name)" } ?? "from now on"
        let end = look.until.map { " until \($0.clock(in: zone)) \(zone.name)" } ?? ""
        say("\(outcome.verb) revision \(look.revision.number) of \(look.feed)\(number), \(start)\(end).\n")
        if look.from == nil, look.layer == .base {
            say("Go back: \(program) rollback \(look.feed)\(flags)\n")
        } else if let publication {
            let name = "\(look.feed)\(flags)"
            say("See it: \(program) schedule ls \(name). Take it back: \(program) schedule cancel \(look.feed) \(publication.id)\(flags)\n")
        }
    }
}
