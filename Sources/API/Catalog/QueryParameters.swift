internal import HTTPMessages
internal import Items
internal import Layout
internal import Values

/// A strict parser of query parameters, which reports all issues together.
struct QueryParameters {
    private let query: Query
    private var issues: [Problem.FieldError] = []

    /// Rejects unknown and repeated parameters, and parts without a name. If a misspelled filter were ignored, the client would take
    /// the response for filtered. And caches would store each response under any number of URLs.
    init(_ query: Query, known: [String]) {
        self.query = query
        var visited: Set<String> = []
        // More names cannot be an accident.
        for name in query.items.map(\.name).prefix(Self.maxListed) {
            if name.isEmpty {
                if visited.insert(name).inserted { refuse(name, "the query has a part without a name; remove extra `&`") }
            } else if !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
                let choices = known.isEmpty ? "this resource has no parameters" : "expected one of \(known.joined(separator: ", "))"
                let advice = name.nearest(among: known).map { "; did you mean \($0)?" } ?? "; \(choices)"
                refuse(String(String.UnicodeScalarView(name.unicodeScalars.prefix(64))), "is unknown\(advice)")
            } else if !visited.insert(name).inserted {
                refuse(name, "is repeated; send the parameter once")
            }
        }
    }

    private static let maxListed = 100

    mutating func refuse(_ name: String, _ message: String) {
        guard issues.count < Self.maxListed else { return }
        issues.append(Problem.FieldError(parameter: name, message: message))
    }

    func isGiven(_ name: String) -> Bool { query[name] != nil }

    /// Returns the unparsed value; nil if the parameter is absent.
    subscript(name: String) -> String? { query[name] }

    /// Returns a text of at most `limit` Unicode scalars.
    mutating func text(_ name: String, upTo limit: Int) -> String? {
        guard let text = query[name] else { return nil }
        guard !text.isEmpty, text.utf8.count <= 4 * limit, text.unicodeScalars.count <= limit else {
            refuse(name, "expected 1 to \(limit) characters")
            return nil
        }
        return text
    }

    /// Returns a text of lowercase letters, digits and hyphens.
    mutating func slug(_ name: String) -> String? {
        guard let text = query[name] else { return nil }
        guard IdentifierFormat.slug.fits(text) else {
            refuse(name, "expected 1 to 80 lowercase letters, digits and hyphens")
            return nil
        }
        return text
    }

    /// Returns the distinct keys of a list with commas; nil if the parameter is absent.
    mutating func keys(_ name: String) -> [String]? {
        guard let text = query[name] else { return nil }
        let keys = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy({ !$0.isEmpty }), Set(keys).count == keys.count, keys.count <= 1_000 else {
            refuse(name, "expected distinct keys with commas between them")
            return nil
        }
        return keys
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) -> Choice? {
        guard let text = query[name] else { return nil }
        if let choice = Choice.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text.utf8) }) { return choice }
        refuse(name, "expected one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    /// Returns a platform by its key.
    mutating func platform(_ name: String, of platforms: [String]) -> String? {
        guard let text = query[name] else { return nil }
        if let platform = platforms.first(where: { $0.utf8.elementsEqual(text.utf8) }) { return platform }
        refuse(name, Self.expected(platforms))
        return nil
    }

    static func expected(_ choices: [String]) -> String {
        "expected \(choices.count == 1 ? "" : "one of ")\(choices.joined(separator: ", "))"
    }

    /// Returns a screen by its name.
    mutating func screen(_ name: String, of screens: ScreenMatrix) -> Screen? {
        guard let text = query[name] else { return nil }
        if let screen = screens[text] { return screen }
        refuse(name, "expected one of \(screens.screens.map(\.name).joined(separator: ", "))")
        return nil
    }

    /// Returns an integer that is written in digits alone. With `clamps`, a value above the range becomes its upper
    /// bound.
    mutating func integer(_ name: String, in range: ClosedRange<Int>, clamps: Bool = false) -> Int? {
        guard let text = query[name] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            let number = Int(text) ?? .max
            if range.contains(number) { return number }
            if clamps, number > range.upperBound { return range.upperBound }
        }
        refuse(name, "expected a whole number \(clamps ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)")")
        return nil
    }

    /// Returns a number with at most two decimal places, in hundredths.
    mutating func hundredths(_ name: String, upTo limit: Int) -> Int? {
        guard let text = query[name] else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.count <= 2, parts.allSatisfy({ 1...2 ~= $0.count && $0.allSatisfy(\.isDigit) }),
            let whole = Int(String(Substring(parts[0])))
        {
            let digits = parts.count == 2 ? String(Substring(parts[1])) : "0"
            let number = whole * 100 + (Int(digits) ?? 0) * (digits.utf8.count == 1 ? 10 : 1)
            if number <= limit * 100 { return number }
        }
        refuse(name, "expected a number from 0 to \(limit) with at most two decimals")
        return nil
    }

    func finish() throws(Problem) {
        guard !issues.isEmpty else { return }
        var problem = Problem(
            .badRequest, code: "invalidParameter", detail: "The query has invalid parameters. Correct the listed parameters.")
        problem.issues = issues
        throw problem
    }
}

extension Problem {
    init(parameter: String, code: Code = "invalidParameter", _ message: String) {
        self.init(.badRequest, code: code, detail: "The query has invalid parameters. Correct the listed parameters.")
        issues = [FieldError(parameter: parameter, message: message)]
    }
}
