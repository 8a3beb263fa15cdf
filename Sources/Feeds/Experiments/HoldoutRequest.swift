package import JSON
package import Resolve
internal import Values

/// The body of a request that saves the holdout.
package struct HoldoutRequest: Sendable, Equatable {
    package let holdout: Holdout
}

extension HoldoutRequest: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let salt = object.required("salt") { salt throws(JSONReadError) in try salt.identifier(.name) }
        let share = object.required("share", as: Int.self, .in(0...Place.count))
        try object.finish()
        guard let salt else { throw object.refuse(.missingKey, at: "salt", "the salt is missing") }
        holdout = Holdout(salt: salt, share: try share())
    }
}
