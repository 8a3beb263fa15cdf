internal import Catalog
internal import HTTP
internal import HTTPMessages

extension CursorSigner {
    /// Returns the position in a cursor of the request. A client whose cursor has a retired key sends the request without it.
    func read(_ cursor: String, of list: String, in context: RequestContext) throws(Problem) -> [String] {
        do throws(CursorSigner.Failure) {
            return try position(of: cursor, in: list)
        } catch {
            switch error {
            case .damaged: throw .damagedCursor
            case .ofAnotherList:
                throw Problem(
                    parameter: "cursor", code: "cursorMismatch",
                    "belongs to another list; send it with the parameters of the request that returned it")
            case .ofRetiredKey:
                var problem = Problem(
                    .gone, code: "keyRetired",
                    detail:
                        "The key that signed the cursor was replaced, so the server cannot read the cursor. Start again at the path in the field restart."
                )
                problem.restart = context.head.target.path(with: [])
                throw problem
            }
        }
    }
}

extension RequestTarget {
    /// Returns the path with the query of the request, without its cursor and with these parameters.
    func path(with others: ListParameters) -> String {
        let parameters = query.items.map { (name: $0.name, value: $0.value) }.filter { $0.name != "cursor" } + others
        return parameters.isEmpty ? path : "\(path)?\(parameters.query)"
    }
}

extension ResponseField {
    /// Returns the link to the next page of a list.
    static func next(_ path: String) -> ResponseField { ResponseField("link", "<\(path)>; rel=\"next\"") }
}

extension Problem {
    static var damagedCursor: Problem {
        Problem(parameter: "cursor", code: "invalidCursor", "is invalid; start again without a cursor")
    }
}
