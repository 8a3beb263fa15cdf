package import JSON
internal import Values

/// The label of an item in a rating scheme, such as `12+`.
package struct AgeRating: Sendable, Equatable {
    package static let defaultScheme = "apple-2015"

    package let scheme: String
    package let label: String

    /// Reads the labels of a record, sorted by scheme. `ageRating` is the label of the default scheme alone. Returns nil if
    /// there is no valid label. The reader has then reported the issue.
    static func read(_ object: inout JSONObjectReader) -> [AgeRating]? {
        let short = object.optional("ageRating", .word(1...20))
        var others = object.optional("ageRatings", as: [String: String].self)
        if object.json.isStrict, let labels = others, !areValid(labels) {
            object.report(
                .invalidFormat, at: "ageRatings", "expected an object with a label for each rating scheme, such as {\"pegi\": \"12\"}")
            others = nil
        }
        // Almost every record has only the short form.
        if let short, others == nil { return [AgeRating(scheme: defaultScheme, label: short)] }
        var labels = others ?? [:]
        if let short {
            if let other = labels[defaultScheme], other != short {
                object.report(.duplicate, at: "ageRating", "ageRatings has another label of \(defaultScheme): \(other)")
            }
            labels[defaultScheme] = short
        }
        guard !labels.isEmpty else {
            if !object.has("ageRatings"), !object.has("ageRating") {
                object.report(.missingKey, at: "ageRatings", "the key \"ageRatings\" is missing")
            }
            return nil
        }
        return labels.map { AgeRating(scheme: $0.key, label: $0.value) }
            .sorted { $0.scheme.utf8.lexicographicallyPrecedes($1.scheme.utf8) }
    }

    /// Returns the labels of a published document by scheme, in any order. Returns nil if the item has no labels.
    static func list(_ labels: JSONNode?) -> [AgeRating]? {
        guard let labels, labels.count > 0 else { return nil }
        return labels.members.compactMap { label in label.value.string.map { AgeRating(scheme: label.key, label: $0) } }
    }

    /// Returns a label of the default scheme alone.
    static func list(standard label: JSONNode?) -> [AgeRating] {
        label?.string.map { [AgeRating(scheme: defaultScheme, label: $0)] } ?? []
    }

    private static func areValid(_ labels: [String: String]) -> Bool {
        (1...50).contains(labels.count)
            && labels.allSatisfy { IdentifierFormat.slug.fits($0.key) && TextShape.word(1...20).fits($0.value) }
    }
}

/// The rating schemes of the catalog, with the least age of each label.
package struct RatingSchemes: Sendable, Equatable, JSONDecodable {
    package let ages: [String: [String: Int]]

    package init(_ ages: [String: [String: Int]] = [:]) { self.ages = ages }

    package init(from json: JSONReader) throws(JSONReadError) { ages = try json.decode() }

    /// Returns the rating of an item in a scheme, or nil if the schemes do not have its labels.
    ///
    /// An item without a label of the scheme has the lowest label that covers its highest age, or else the highest label.
    func rating(_ ratings: [AgeRating], in scheme: String) -> ShownAgeRating? {
        guard let labels = ages[scheme] else { return nil }
        if let own = ratings.first(where: { $0.scheme == scheme }), let rating = rating(labeled: own.label, in: scheme) { return rating }
        guard let highest = ratings.compactMap({ ages[$0.scheme]?[$0.label] }).max() else { return nil }
        return Self.covering(highest, labels).map {
            ShownAgeRating(scheme: scheme, label: $0.key, minimumAge: $0.value, isMapped: true)
        }
    }

    /// Returns the rating of an item with a label of the scheme, or nil if the scheme does not have it.
    func rating(labeled label: String, in scheme: String) -> ShownAgeRating? {
        ages[scheme]?[label].map { ShownAgeRating(scheme: scheme, label: label, minimumAge: $0, isMapped: false) }
    }

    /// Returns the lowest label that covers an age, or else the highest label.
    private static func covering(_ age: Int, _ labels: [String: Int]) -> (key: String, value: Int)? {
        let sorted = labels.sorted { $0.value < $1.value }
        return sorted.first { $0.value >= age } ?? sorted.last
    }

    /// Whether all items have the same ratings in a scheme. An item cannot have a label that only one of both has.
    ///
    /// The covering label never decreases with the age, so the labels of an item can be compared one by one.
    func rates(like other: RatingSchemes, in scheme: String) -> Bool {
        guard ages[scheme] == other.ages[scheme] else { return false }
        guard let labels = ages[scheme] else { return true }
        for (key, own) in ages where key != scheme {
            for (label, age) in own {
                guard let otherAge = other.ages[key]?[label], otherAge != age else { continue }
                if Self.covering(age, labels)?.key != Self.covering(otherAge, labels)?.key { return false }
            }
        }
        return true
    }
}

/// The age rating that clients of a storefront receive.
package struct ShownAgeRating: Sendable, Equatable, JSONObjectEncodable, JSONObjectDecodable {
    package let scheme: String
    package let label: String
    package let minimumAge: Int
    /// Whether the item has no label of the scheme, so that the label follows from its age in other schemes.
    package let isMapped: Bool

    package init(scheme: String, label: String, minimumAge: Int, isMapped: Bool) {
        self.scheme = scheme
        self.label = label
        self.minimumAge = minimumAge
        self.isMapped = isMapped
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        scheme = try object.value("scheme")
        label = try object.value("label")
        minimumAge = try object.value("minimumAge")
        isMapped = object.value("mapped", default: false)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("scheme", scheme)
        json.member("label", label)
        json.member("minimumAge", minimumAge)
        json.member("mapped", isMapped, unless: false)
    }
}
