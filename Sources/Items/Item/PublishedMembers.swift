internal import JSON
internal import Values

/// The fields of a published document, in its outline or after parsing. They are asked in the order in which the database writes
/// them.
protocol PublishedMembers {
    /// Returns a text, or nil if it may be another value.
    mutating func string(_ key: String) -> String?

    mutating func isText(_ key: String) -> Bool

    mutating func isInteger(_ key: String) -> Bool

    mutating func isListOfTexts(_ key: String) -> Bool

    /// Whether the value is a text, or an object of texts by locale.
    mutating func isTexts(_ key: String) -> Bool

    /// Whether the item has an icon; nil if only a reading of the document decides.
    var hasIcon: Bool? { mutating get }

    /// The availability; nil if only a reading of the document decides.
    var availability: Availability? { mutating get }

    var hasPlatforms: Bool { mutating get }

    var hasRating: Bool { mutating get }

    var hasMinutes: Bool { mutating get }
}

extension PublishedFacts {
    /// Finds the facts. Returns nil if anything is not exactly as a release writes it.
    init?(in members: inout some PublishedMembers) {
        guard let word = members.string("kind"), let kind = ItemKind(rawValue: word), let text = members.string("id"), let id = UUID(text),
            members.isInteger("serialNumber"), members.isText("slug"), members.isTexts("title"), let hasIcon = members.hasIcon,
            members.isListOfTexts("categories"), let availability = members.availability
        else { return nil }
        switch kind {
        case .topApp:
            guard members.isText("bundleId"), members.isText("developer"), members.isText("appVersion"), members.isInteger("sizeBytes"),
                members.hasPlatforms, members.hasRating, members.isText("releaseDate")
            else { return nil }
        case .foodApp:
            guard members.isText("brand"), members.isListOfTexts("cuisines"), members.hasMinutes, members.isInteger("priceBand")
            else { return nil }
        }
        self.init(id: id, kind: kind, availability: availability, hasIcon: hasIcon)
    }

    /// Finds the facts of a parsed document, faster than by a reading that reports each issue. `fields` are those of the document.
    init?(finding fields: JSONMemberSearch) {
        var members = ParsedMembers(fields: fields)
        self.init(in: &members)
    }
}

/// The fields of a parsed document. A field that is null is absent, as for a lenient reading.
private struct ParsedMembers: PublishedMembers {
    var fields: JSONMemberSearch

    mutating func string(_ key: String) -> String? { fields.value(key)?.string }

    mutating func isText(_ key: String) -> Bool { fields.value(key)?.kind == .string }

    mutating func isInteger(_ key: String) -> Bool { fields.value(key)?.integer != nil }

    mutating func isListOfTexts(_ key: String) -> Bool { fields.value(key)?.isListOfTexts ?? false }

    mutating func isTexts(_ key: String) -> Bool { fields.value(key)?.hasText ?? false }

    var hasIcon: Bool? {
        mutating get { fields.value("image").map { ImageTemplate.Size(of: $0) != nil } ?? false }
    }

    var availability: Availability? {
        mutating get {
            guard let value = fields.value("availability") else { return .everywhere }
            return value.decodeLeniently(Availability.self)
        }
    }

    var hasPlatforms: Bool {
        mutating get {
            guard let platforms = fields.value("platforms") else { return false }
            return platforms.isListOfTexts || platforms.isObject(of: .object)
        }
    }

    var hasRating: Bool {
        mutating get {
            guard let ratings = fields.value("ageRatings") else { return isText("ageRating") }
            return ratings.isObject(of: .string)
        }
    }

    var hasMinutes: Bool {
        mutating get {
            guard let minutes = fields.value("deliveryMinutes"), let from = minutes["from"]?.integer, let to = minutes["to"]?.integer
            else { return false }
            return from <= to && DeliveryMinutes.limits.contains(from) && DeliveryMinutes.limits.contains(to)
        }
    }
}
