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
                "The change requires a precondition. Send If-Match with the ETag of the resource\(creates ? ", or If-None-Match: * to create the resource" : "")."
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
            detail: state == nil
                ? "The resource does not exist. Check the URL, or create the resource first."
                : "The resource changed after you read it. Read its current state, then repeat the change.")
        problem.tag = state?.tag
        if let state { problem.members = [Problem.Extension(name: "current", json: state.document)] }
        return problem
    }
}
