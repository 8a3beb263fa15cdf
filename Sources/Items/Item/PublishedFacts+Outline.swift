internal import JSON
internal import Values

extension PublishedFacts {
    /// Finds the facts in the outline of a document. Returns nil if anything is not exactly as a release writes it, so that only a
    /// reading of the whole document decides whether it is an item.
    init?(outlining document: [UInt8]) {
        guard var outline = JSONOutline(document) else { return nil }
        guard let word = outline.string("kind"), let kind = ItemKind(rawValue: word), let text = outline.string("id"), let id = UUID(text),
            outline.isInteger("serialNumber"), outline.isText("slug"), outline.isTexts("title")
        else { return nil }
        var hasIcon = false
        if let image = outline.value("image") {
            guard let document = outline.parsed(image) else { return nil }
            hasIcon = ImageTemplate.Size(of: document.root) != nil
        }
        guard outline.isListOfTexts("categories") else { return nil }
        var availability = Availability.everywhere
        if let value = outline.value("availability") {
            guard let windows = outline.decoded(value, as: Availability.self) else { return nil }
            availability = windows
        }
        switch kind {
        case .topApp:
            guard outline.isText("bundleId"), outline.isText("developer"), outline.isText("appVersion"), outline.isInteger("sizeBytes"),
                outline.hasPlatforms, outline.hasRating, outline.isText("releaseDate")
            else { return nil }
        case .foodApp:
            guard outline.isText("brand"), outline.isListOfTexts("cuisines"), let minutes = outline.value("deliveryMinutes"),
                outline.isRange(minutes) || outline.decoded(minutes, as: DeliveryMinutes.self) != nil, outline.isInteger("priceBand")
            else { return nil }
        }
        self.init(id: id, kind: kind, availability: availability, hasIcon: hasIcon)
    }
}

extension JSONOutline {
    fileprivate mutating func string(_ key: String) -> String? { value(key).flatMap { text($0) } }

    fileprivate mutating func isText(_ key: String) -> Bool { value(key)?.kind == .string }

    fileprivate mutating func isListOfTexts(_ key: String) -> Bool {
        value(key).map { $0.kind == .array && $0.children.isSubset(of: .strings) } ?? false
    }

    /// Whether the value is a number of at most 18 digits and nothing else.
    fileprivate mutating func isInteger(_ key: String) -> Bool {
        guard let value = value(key), value.kind == .number, value.range.count <= 18 else { return false }
        return source[value.range].allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// Whether the value is a text, or an object of texts by locale.
    fileprivate mutating func isTexts(_ key: String) -> Bool {
        guard let value = value(key) else { return false }
        return value.kind == .string || value.children == .strings && firstKey(value).flatMap { LocaleTag($0) } != nil
    }

    /// Whether the value is an object with two numbers of minutes below a thousand, of which the second is not less.
    fileprivate func isRange(_ value: Value) -> Bool {
        guard var range = JSONOutline(Array(source[value.range])), let from = range.minutes("from"), let to = range.minutes("to")
        else { return false }
        return from <= to
    }

    private mutating func minutes(_ key: String) -> Int? {
        guard isInteger(key), let value = value(key), value.range.count <= 3 else { return nil }
        return source[value.range].reduce(0) { $0 * 10 + Int($1 &- UInt8(ascii: "0")) }
    }

    fileprivate var hasPlatforms: Bool {
        mutating get {
            guard let value = value("platforms") else { return false }
            return value.kind == .object ? value.children == .objects : value.kind == .array && value.children.isSubset(of: .strings)
        }
    }

    fileprivate var hasRating: Bool {
        mutating get {
            guard let ratings = value("ageRatings") else { return isText("ageRating") }
            return ratings.kind == .object && ratings.children == .strings
        }
    }

    fileprivate func parsed(_ value: Value) -> JSONDocument? {
        do throws(JSONError) {
            return try document(value)
        } catch {
            return nil
        }
    }

    /// Reads a value, or returns nil if anything in it is dropped.
    fileprivate func decoded<Value: JSONDecodable>(_ value: JSONOutline.Value, as type: Value.Type) -> Value? {
        do throws(JSONError) {
            let (decoded, dropped) = try document(value).decodeLeniently(type)
            return dropped.isEmpty ? decoded : nil
        } catch {
            return nil
        }
    }
}
