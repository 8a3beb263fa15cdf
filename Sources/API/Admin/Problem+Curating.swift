internal import Access
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing

extension Problem {
    /// Runs a body, and tells what the stores of curators refuse as a problem.
    static func translating<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await body()
        } catch let error as FeedStoreError {
            if let underlying = error.underlying, error.code == .database { throw underlying }
            throw Problem(error)
        } catch let error as AccessError {
            throw Problem(error) ?? error.underlying
        }
    }

    /// Nil where the database did not answer as it should.
    private init?(_ error: AccessError) {
        switch error.code {
        case .nameTaken: self.init(.conflict, code: "nameTaken", detail: error.description)
        case .badName: self.init(.unprocessableContent, code: "badName", detail: error.description)
        case .badLifetime: self.init(.unprocessableContent, code: "badLifetime", detail: error.description)
        default: return nil
        }
    }

    private init(_ error: FeedStoreError) {
        let (status, code): (Status, Code) =
            switch error.code {
            case .unknownFeed: (.notFound, "unknownFeed")
            case .unknownRevision: (.notFound, "unknownRevision")
            case .unknownPublication: (.notFound, "unknownPublication")
            case .unknownTimeZone: (.unprocessableContent, "unknownTimeZone")
            case .archived: (.conflict, "archived")
            case .overlap: (.conflict, "overlap")
            case .inThePast: (.unprocessableContent, "inThePast")
            case .endsTooSoon: (.unprocessableContent, "endsTooSoon")
            case .isOver: (.conflict, "isOver")
            case .nothingBefore: (.conflict, "nothingBefore")
            case .tooLarge: (.unprocessableContent, "tooLarge")
            case .reviewed: (.unprocessableContent, "reviewed")
            case .unreadable: (.conflict, "unreadable")
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
            if let conflictingPublication = error.conflictingPublication {
                members.append(Extension(name: "obstacle", json: try conflictingPublication.json()))
            }
            if !error.findings.isEmpty { members.append(Extension(name: "findings", json: try error.findings.json())) }
        } catch { preconditionFailure("a finding that cannot be written: \(error)") }
    }

    init(_ error: JSONError) {
        self.init(.unprocessableContent, code: "invalidDocument", detail: "The document cannot be taken as it is.")
        issues = error.issues.map { issue in
            FieldError(pointer: issue.pointer.description, message: issue.message + (issue.hint.map { "; \($0)" } ?? ""))
        }
    }

    func document(id: RequestID) -> [UInt8] { ProblemDocument(problem: self, id: id).bytes }
}
