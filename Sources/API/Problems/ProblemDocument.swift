internal import HTTP
internal import HTTPMessages
internal import JSON

struct ProblemDocument: JSONEncodable {
    /// The path of a problem code in the served documentation, without the code.
    static let documentation = "/docs#problem-"

    let problem: Problem
    let id: RequestID?

    func encode(to json: inout JSONWriter) {
        json.object {
            $0.member("type", "\(Self.documentation)\(problem.code.text)")
            $0.member("title", problem.code.title)
            $0.member("status", problem.status.rawValue)
            $0.member("code", problem.code.text)
            $0.member("detail", problem.detail)
            $0.member("see", problem.see)
            $0.member("requestId", id?.text)
            $0.member("restart", problem.restart)
            if let expired = problem.expired {
                $0.member("reason", expired.reason)
                $0.member("resync") {
                    $0.member("kind", expired.recipe)
                    $0.member("version", expired.version)
                    $0.member("cursor", expired.cursor)
                    $0.member("digest", expired.digest)
                }
            }
            if !problem.issues.isEmpty { $0.member("errors", problem.issues) }
            for member in problem.members {
                $0.key(member.name)
                $0.rendered(member.json)
            }
        }
    }

    var bytes: [UInt8] {
        do throws(JSONError) { return try json() } catch { preconditionFailure("a problem cannot be encoded: \(error)") }
    }
}
