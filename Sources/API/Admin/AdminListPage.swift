internal import Catalog
internal import JSON

/// A part of a list, with the cursor that leads to the next.
struct AdminListPage<Element: JSONEncodable>: JSONEncodable {
    let name: String
    let elements: [Element]
    var next: String?

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member(name, elements)
            json.member("next", next)
        }
    }
}

extension CursorSigner {
    /// The number that a client goes on behind.
    func number(_ cursor: String, of list: String) throws(Problem) -> Int {
        guard let number = try read(cursor, of: list).first.flatMap({ Int($0) }) else { throw Problem.damagedCursor }
        return number
    }
}
