import HTTPMessages
import JSON
import Testing

@testable import API
@testable import HTTP

/// Checks responses against the OpenAPI document.
struct Contract {
    private static let document = Result { try OpenAPIDocument() }

    /// Records an issue for each part of a response that the document does not describe.
    ///
    /// Routes that only a test has are not in the document, and are not checked.
    static func judge(_ response: Response, to head: RequestHead, of application: Application) throws {
        guard head.method != .options else { return }
        let issues = try Contract(document: document.get()).issues(response, head, application.router.match(head.method, head.target))
        #expect(issues.isEmpty, "\(head.method) \(head.target) \(response.status): \(issues) \(response.text)")
    }

    let document: OpenAPIDocument

    func issues(_ response: Response, _ head: RequestHead, _ match: Router.Match) throws -> [String] {
        switch match {
        case .notFound: return try document.issues(in: response, describedBy: "NotFound")
        case .wrongMethod: return try document.issues(in: response, describedBy: "Problem")
        case .found(let route, _):
            let method = head.method == .head ? Method.get : head.method
            guard let operation = document.operation(route.pattern.description, method) else { return [] }
            return try document.issues(in: response, of: operation)
        }
    }
}
