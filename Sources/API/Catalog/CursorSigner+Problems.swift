internal import Catalog

extension CursorSigner {
    func read(_ cursor: String, of list: String) throws(Problem) -> [String] {
        do throws(CursorSigner.Failure) {
            return try position(of: cursor, in: list)
        } catch {
            switch error {
            case .damaged: throw .damagedCursor
            case .ofAnotherList:
                throw Problem(
                    parameter: "cursor", code: "cursorMismatch",
                    "belongs to another list; repeat the parameters of the request that returned it")
            }
        }
    }
}

extension Problem {
    static var damagedCursor: Problem {
        Problem(parameter: "cursor", code: "invalidCursor", "is invalid; start again without a cursor")
    }
}
