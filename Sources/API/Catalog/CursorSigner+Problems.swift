internal import Catalog

extension CursorSigner {
    func read(_ cursor: String, of list: String) throws(Problem) -> [String] {
        do throws(CursorSigner.Failure) {
            return try place(of: cursor, in: list)
        } catch {
            switch error {
            case .damaged: throw .damagedCursor
            case .ofAnotherList:
                throw Problem(parameter: "cursor", code: "cursorMismatch", "is of another list; it goes with the parameters it came with")
            }
        }
    }
}

extension Problem {
    static var damagedCursor: Problem {
        Problem(parameter: "cursor", code: "invalidCursor", "is not one that was handed out here; begin without one")
    }
}
