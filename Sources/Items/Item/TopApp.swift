internal import JSON
internal import Values

/// The fields of a TopApp beyond those that every item has.
package struct TopApp: Sendable, Equatable {
    package let bundleID: String
    package let developer: String
    package let appVersion: String
    package let sizeBytes: Int
    package let minimumOS: String?
    package let platforms: [String]
    package let ageRating: String
    /// The release date as defined in RFC 3339, such as `2026-03-01`.
    package let releaseDate: String
    package let homepage: String?

    /// A platform that a catalog file can name. A published document can come from a later release that knows more
    /// platforms.
    private enum Platform: String, CaseIterable, JSONDecodable {
        case ios, ipados, macos, watchos, tvos, visionos, android, linux
    }

    private enum AgeRating: String, CaseIterable, JSONDecodable {
        case four = "4+"
        case nine = "9+"
        case twelve = "12+"
        case seventeen = "17+"
    }

    /// Returns the fields, or nil if a required field is missing or invalid. The reader has then reported the issue.
    static func read(_ object: inout JSONObjectReader) -> TopApp? {
        let bundleID = object.required("bundleId", .word(1...200)).value
        let developer = object.required("developer", .line(1...200)).value
        let appVersion = object.required("appVersion", .line(1...100)).value
        let sizeBytes = object.required("sizeBytes", as: Int.self, object.ifStrict(.in(1...1_125_899_906_842_624))).value
        let minimumOS = object.optional("minimumOsVersion", .line(1...50))
        let platforms = object.required("platforms", as: [CheckedText<Platform>].self, object.ifStrict(.each(1...8))).value
        let ageRating = object.required("ageRating", as: CheckedText<AgeRating>.self).value
        let releaseDate = object.required("releaseDate", as: CheckedText<CalendarDay>.self).value
        let homepage = object.optional("homepage", .webAddress)
        guard let bundleID, let developer, let appVersion, let sizeBytes, let platforms, let ageRating, let releaseDate else { return nil }
        return TopApp(
            bundleID: bundleID, developer: developer, appVersion: appVersion, sizeBytes: sizeBytes, minimumOS: minimumOS,
            platforms: platforms.map(\.text), ageRating: ageRating.text, releaseDate: releaseDate.text, homepage: homepage)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("bundleId", bundleID)
        json.member("developer", developer)
        json.member("appVersion", appVersion)
        json.member("sizeBytes", sizeBytes)
        json.member("minimumOsVersion", minimumOS)
        json.member("platforms", platforms)
        json.member("ageRating", ageRating)
        json.member("releaseDate", releaseDate)
        json.member("homepage", homepage)
    }
}

extension JSONRule {
    fileprivate static func each<Known>(_ range: ClosedRange<Int>) -> JSONRule where Value == [CheckedText<Known>] {
        .satisfying(.invalidFormat, "expected platforms, each once") { range.contains($0.count) && !$0.map(\.text).hasTwice }
    }
}
