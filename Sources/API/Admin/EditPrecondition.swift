internal import HTTPMessages

/// The state on which a change is based, as its request names it. Every change requires one.
struct EditPrecondition: Sendable {
    private let head: RequestHead

    /// Throws 428 if the request has no condition. A request that creates a resource may send `If-None-Match: *`
    /// instead.
    ///
    /// With `namesState`, the condition must name a state: `If-Match: *` is not accepted.
    init(of request: AdminRequest, creates: Bool = false, namesState: Bool = false) throws(Problem) {
        head = request.context.head
        let isAny = EntityTagList(.ifMatch, of: head.fields, asks: nil, .strong) == .any
        if head.fields.contains(.ifMatch), !(namesState && isAny) { return }
        if creates, EntityTagList(.ifNoneMatch, of: head.fields, asks: nil, .weak) == .any { return }
        throw Problem(
            .preconditionRequired, code: "missingPrecondition",
            detail:
                "A change has to name the state that it was decided on: If-Match with the ETag of a GET\(creates ? ", or If-None-Match: * for something new" : "")."
        )
    }

    /// Throws 412 with the current state if it is not the expected one.
    func check(_ state: TaggedResource?) throws(Problem) {
        guard Precondition(of: head.fields, method: head.method, current: state?.tag) == .proceed else {
            throw Problem.stale(state)
        }
    }
}

extension Problem {
    static func stale(_ state: TaggedResource?) -> Problem {
        var problem = Problem(
            .preconditionFailed, code: "stale",
            detail: state == nil ? "There is nothing yet that could be changed." : "Somebody has changed it meanwhile. Look at it anew.")
        problem.tag = state?.tag
        if let state { problem.members = [Problem.Extension(name: "current", json: state.document)] }
        return problem
    }
}
