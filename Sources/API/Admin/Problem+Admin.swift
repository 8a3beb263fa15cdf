internal import Access
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing

extension Problem {
    /// Runs a body and translates the errors of the stores into problems.
    static func translating<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as FeedStoreError {
            if let underlying = error.underlying, error.code == .database { throw underlying }
            throw Problem(error)
        } catch let error as AccessError {
            throw Problem(error) ?? error.underlying
        } catch let error as ExperimentChangeError {
            throw Problem(error)
        }
    }

    /// Creates the problem of an error. Returns nil if the database did not respond as expected.
    private init?(_ error: AccessError) {
        switch error.code {
        case .tokenNameTaken: self.init(.conflict, code: "tokenNameTaken", detail: error.description)
        case .invalidTokenName: self.init(.unprocessableContent, code: "invalidTokenName", detail: error.description)
        case .invalidTokenLifetime: self.init(.unprocessableContent, code: "invalidTokenLifetime", detail: error.description)
        default: return nil
        }
    }

    /// Creates the problem of a change of an experiment, which is at a location of the body.
    init(_ error: ExperimentChangeError, at location: String = "") {
        switch error {
        case .mismatch(let field):
            self.init(
                .unprocessableContent, code: "experimentMismatch",
                detail: """
                    The key, the state or the winner in the body differs from that of the experiment. Omit the field. To change the state, \
                    start or conclude the experiment.
                    """)
            issues = [FieldError(pointer: "\(location)/\(field)", message: "expected the current value, or no value")]
        case .fixed(let field):
            self.init(
                .conflict, code: "experimentRunning",
                detail: """
                    The salt, the names of the arms and the default of a running experiment cannot change. Change only the places of its \
                    arms, or create another experiment.
                    """)
            issues = [
                FieldError(
                    pointer: "\(location)/\(field)",
                    message: field == "arms" ? "expected the same arms, with the same or other places" : "expected the current value")
            ]
        case .concluded:
            self.init(
                .conflict, code: "experimentConcluded",
                detail: "The experiment is concluded and cannot change. Create another experiment.")
        case .inUse(let arms, let feeds):
            self = .experimentInUse(by: feeds)
            issues = [
                FieldError(
                    pointer: "\(location)/arms",
                    message: "expected the arms to include \(arms.joined(separator: ", ")), because feeds use them")
            ]
        case .notRunning:
            self.init(
                .conflict, code: "experimentNotRunning", detail: "The experiment has not started. Start it before you conclude it.")
        case .unknownArm:
            self.init(
                .unprocessableContent, code: "unknownArm",
                detail: "The experiment has no such arm. Use one of the arms of the experiment as the winner.")
            issues = [FieldError(pointer: "\(location)/winner", message: "expected an arm of the experiment")]
        }
    }

    static func experimentInUse(by feeds: [String]) -> Problem {
        Problem(
            .conflict, code: "experimentInUse",
            detail:
                "Live or scheduled revisions of \(feeds.map { "'\($0)'" }.joined(separator: ", ")) use the experiment. Publish revisions without it first."
        )
    }

    private init(_ error: FeedStoreError) {
        let (status, code): (Status, Code) =
            switch error.code {
            case .unknownFeed: (.notFound, "unknownFeed")
            case .unknownRevision: (.notFound, "unknownRevision")
            case .unknownPublication: (.notFound, "unknownPublication")
            case .unknownStorefront: (.unprocessableContent, "unknownStorefronts")
            case .feedArchived: (.conflict, "feedArchived")
            case .publicationOverlap: (.conflict, "publicationOverlap")
            case .localBase: (.conflict, "localBase")
            case .startInPast: (.unprocessableContent, "startInPast")
            case .invalidEnd: (.unprocessableContent, "invalidEnd")
            case .publicationEnded: (.conflict, "publicationEnded")
            case .noPreviousRevision: (.conflict, "noPreviousRevision")
            case .documentTooLarge: (.unprocessableContent, "documentTooLarge")
            case .reviewFailed: (.unprocessableContent, "reviewFailed")
            case .unsupportedRevision: (.conflict, "unsupportedRevision")
            default: (.internalError, "internalServerError")
            }
        let see: String? =
            switch error.code {
            case .unknownFeed: "/admin/v1/feeds"
            case .unknownRevision: error.feed.map { "/admin/v1/feeds/\($0)/revisions" }
            default: nil
            }
        self.init(status, code: code, detail: error.description, see: see)
        do throws(JSONError) {
            if !error.conflictingPublications.isEmpty {
                members.append(Extension(name: "conflictingPublications", json: try error.conflictingPublications.json()))
            }
            if !error.findings.isEmpty { members.append(Extension(name: "findings", json: try error.findings.json())) }
        } catch { preconditionFailure("a finding cannot be encoded: \(error)") }
    }

    init(_ error: JSONError) {
        self.init(
            .unprocessableContent, code: "invalidDocument",
            detail: "The document is invalid. Correct the listed fields, then send the document again.")
        issues = error.issues.map { issue in
            FieldError(pointer: issue.pointer.description, message: issue.message + (issue.hint.map { "; \($0)" } ?? ""))
        }
    }

    func document(id: RequestID) -> [UInt8] { ProblemDocument(problem: self, id: id).bytes }
}
