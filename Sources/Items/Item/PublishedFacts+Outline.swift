internal import JSON
internal import Values

extension PublishedFacts {
    /// Finds the facts in the outline of a document. Returns nil if anything is not exactly as a release writes it, so that only a
    /// reading of the whole document decides whether it is an item.
    init?(outlining document: [UInt8]) {
        guard var outline = JSONOutline(document) else { return nil }
        self.init(in: &outline)
    }
}

extension JSONOutline: PublishedMembers {
    mutating func string(_ key: String) -> String? { value(key).flatMap { text($0) } }

    mutating func isText(_ key: String) -> Bool { value(key)?.kind == .string }

    mutating func isListOfTexts(_ key: String) -> Bool {
        value(key).map { $0.kind == .array && $0.children.isSubset(of: .strings) } ?? false
    }

    /// Whether the value is a number of at most 18 digits and nothing else.
    mutating func isInteger(_ key: String) -> Bool {
        guard let value = value(key), value.kind == .number, value.range.count <= 18 else { return false }
        return source[value.range].allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// Whether the value is a text, or an object of texts by locale.
    mutating func isTexts(_ key: String) -> Bool {
        guard let value = value(key) else { return false }
        return value.kind == .string || value.children == .strings && firstKey(value).flatMap { LocaleTag($0) } != nil
    }

    var hasIcon: Bool? {
        mutating get {
            guard let image = value("image") else { return false }
            return parsed(image).map { ImageTemplate.Size(of: $0.root) != nil }
        }
    }

    var availability: Availability? {
        mutating get {
            guard let value = value("availability") else { return .everywhere }
            return decoded(value, as: Availability.self)
        }
    }

    var hasMinutes: Bool {
        mutating get {
            guard let minutes = value("deliveryMinutes") else { return false }
            return isRange(minutes) || decoded(minutes, as: DeliveryMinutes.self) != nil
        }
    }

    /// Whether the value is an object with two numbers of minutes below a thousand, of which the second is not less.
    private func isRange(_ value: Value) -> Bool {
        guard var range = JSONOutline(Array(source[value.range])), let from = range.minutes("from"), let to = range.minutes("to")
        else { return false }
        return from <= to
    }

    private mutating func minutes(_ key: String) -> Int? {
        guard isInteger(key), let value = value(key), value.range.count <= 3 else { return nil }
        return source[value.range].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }

    var hasPlatforms: Bool {
        mutating get {
            guard let value = value("platforms") else { return false }
            return value.kind == .object ? value.children == .objects : value.kind == .array && value.children.isSubset(of: .strings)
        }
    }

    var hasRating: Bool {
        mutating get {
            guard let ratings = value("ageRatings") else { return isText("ageRating") }
            return ratings.kind == .object && ratings.children == .strings
        }
    }

    private func parsed(_ value: Value) -> JSONDocument? {
        do throws(JSONError) {
            return try document(value)
        } catch {
            return nil
        }
    }

    /// Reads a value, or returns nil if anything in it is dropped.
    private func decoded<Value: JSONDecodable>(_ value: JSONOutline.Value, as type: Value.Type) -> Value? {
        do throws(JSONError) {
            let (decoded, dropped) = try document(value).decodeLeniently(type)
            return dropped.isEmpty ? decoded : nil
        } catch {
            return nil
        }
    }
}
