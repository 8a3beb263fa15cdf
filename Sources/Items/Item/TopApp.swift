internal import JSON
internal import Values

/// The fields of a TopApp beyond those that every item has.
package struct TopApp: Sendable, Equatable {
    package let bundleID: String
    package let developer: String
    package let appVersion: String
    package let sizeBytes: Int
    /// The platforms, sorted by key. Never empty.
    package let platforms: [SupportedPlatform]
    /// The labels, sorted by scheme. Never empty.
    package let ageRatings: [AgeRating]
    /// The release date as defined in RFC 3339, such as `2026-03-01`.
    package let releaseDate: String
    package let homepage: String?

    /// Returns the fields, or nil if a required field is missing or invalid. The reader has then reported the issue.
    static func read(_ object: inout JSONObjectReader) -> TopApp? {
        let bundleID = object.required("bundleId", .word(1...200)).value
        let developer = object.required("developer", .line(1...200)).value
        let appVersion = object.required("appVersion", .line(1...100)).value
        let sizeBytes = object.required("sizeBytes", in: 1...1_125_899_906_842_624).value
        let platforms = readPlatforms(&object)
        let ageRatings = AgeRating.read(&object)
        let releaseDate = object.required("releaseDate", as: CheckedText<CalendarDay>.self).value
        let homepage = object.optional("homepage", .webAddress)
        guard let bundleID, let developer, let appVersion, let sizeBytes, let platforms, let ageRatings, let releaseDate else { return nil }
        return TopApp(
            bundleID: bundleID, developer: developer, appVersion: appVersion, sizeBytes: sizeBytes, platforms: platforms,
            ageRatings: ageRatings, releaseDate: releaseDate.text, homepage: homepage)
    }

    /// Reads the platforms. `minimumOsVersion` is the version of all platforms of a list.
    private static func readPlatforms(_ object: inout JSONObjectReader) -> [SupportedPlatform]? {
        let minimumOS = object.optional("minimumOsVersion", .version)
        guard var platforms = object.required("platforms", as: SupportedPlatforms.self).value else { return nil }
        guard let minimumOS else { return platforms.list }
        if !platforms.isPlain {
            object.report(
                .duplicate, at: "minimumOsVersion", "\"minimumOsVersion\" is only for a list of platforms, but \"platforms\" is an object",
                hint: "omit \"minimumOsVersion\", and write the version of each platform in \"platforms\"")
        }
        for index in platforms.list.indices { platforms.list[index].minimumOS = minimumOS }
        return platforms.list
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("bundleId", bundleID)
        json.member("developer", developer)
        json.member("appVersion", appVersion)
        json.member("sizeBytes", sizeBytes)
        platforms.encode(to: &json, as: "platforms")
        json.member("ageRatings") { json in
            for rating in ageRatings { json.member(rating.scheme, rating.label) }
        }
        json.member("releaseDate", releaseDate)
        json.member("homepage", homepage)
    }
}
