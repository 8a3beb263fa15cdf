package import JSON

/// What an app of the store has beyond what all items have.
package struct TopApp: Sendable, Equatable {
    package let bundleID: String
    package let developer: String
    package let appVersion: String
    package let sizeBytes: Int
    package let minimumOS: String?
    package let platforms: [String]
    package let ageRating: String
    /// As in RFC 3339: `2026-03-01`.
    package let releaseDate: String
    package let homepage: String?
}

extension TopApp: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let bundleID = object.required("bundleID", as: String.self)
        let developer = object.required("developer", as: String.self)
        let appVersion = object.required("appVersion", as: String.self)
        let sizeBytes = object.required("sizeBytes", as: Int.self)
        minimumOS = object.optional("minimumOS")
        let platforms = object.required("platforms", as: [String].self)
        let ageRating = object.required("ageRating", as: String.self)
        let releaseDate = object.required("releaseDate", as: String.self)
        homepage = object.optional("homepage")
        try object.finish()
        self.bundleID = try bundleID()
        self.developer = try developer()
        self.appVersion = try appVersion()
        self.sizeBytes = try sizeBytes()
        self.platforms = try platforms()
        self.ageRating = try ageRating()
        self.releaseDate = try releaseDate()
    }
}
