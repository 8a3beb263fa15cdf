internal import JSON
package import Values

/// What a TopApp has beyond what all items have.
package struct TopAppRecord: Sendable, Equatable {
    package enum Platform: String, CaseIterable, Sendable, JSONDecodable, JSONEncodable {
        case ios, ipados, macos, watchos, tvos, visionos, android, linux
    }

    package enum AgeRating: String, CaseIterable, Sendable, JSONDecodable, JSONEncodable {
        case four = "4+"
        case nine = "9+"
        case twelve = "12+"
        case seventeen = "17+"
    }

    package var bundleID: String
    package var developer: String
    package var appVersion: String
    package var sizeBytes: Int64
    package var minimumOS: String?
    package var platforms: [Platform]
    package var ageRating: AgeRating
    package var releaseDate: CalendarDay
    package var homepage: String?

    /// Nil where something that is required is missing or faulty, which has been reported.
    static func read(_ object: inout JSONObjectReader) -> TopAppRecord? {
        let bundleID = object.required("bundleID", as: String.self, .word(1...200)).value
        let developer = object.required("developer", as: String.self, .line(1...200)).value
        let appVersion = object.required("appVersion", as: String.self, .line(1...100)).value
        let sizeBytes = object.required("sizeBytes", as: Int64.self, .in(1...1_125_899_906_842_624)).value
        let minimumOS = object.optional("minimumOS", as: String.self, .line(1...50))
        let platforms = object.required("platforms", as: [Platform].self, .each(1...8)).value
        let ageRating = object.required("ageRating", as: AgeRating.self).value
        let releaseDate = object.required("releaseDate", as: CalendarDay.self).value
        let homepage = object.optional("homepage", as: String.self, .webAddress)
        guard let bundleID, let developer, let appVersion, let sizeBytes, let platforms, let ageRating, let releaseDate else { return nil }
        return TopAppRecord(
            bundleID: bundleID, developer: developer, appVersion: appVersion, sizeBytes: sizeBytes, minimumOS: minimumOS,
            platforms: platforms, ageRating: ageRating, releaseDate: releaseDate, homepage: homepage)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("bundleID", bundleID)
        json.member("developer", developer)
        json.member("appVersion", appVersion)
        json.member("sizeBytes", sizeBytes)
        json.member("minimumOS", minimumOS)
        json.member("platforms", platforms)
        json.member("ageRating", ageRating)
        json.member("releaseDate", releaseDate)
        json.member("homepage", homepage)
    }
}

extension JSONRule where Value == [TopAppRecord.Platform] {
    fileprivate static func each(_ range: ClosedRange<Int>) -> JSONRule {
        .satisfying(.badForm, "expected platforms, each once") { range.contains($0.count) && Set($0).count == $0.count }
    }
}
