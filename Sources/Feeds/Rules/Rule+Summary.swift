internal import Items
package import JSON
internal import Values

extension Rule {
    /// The rule on one line, for tables and diffs: `kind topApp, rated 4.7 or better by 5,000 people`. All conditions between
    /// commas have to be true.
    package var summary: String {
        switch self {
        case .all(let rules): rules.map { $0.isAlternative ? "(\($0.summary))" : $0.summary }.joined(separator: ", ")
        case .any(let rules): rules.count == 1 ? rules[0].summary : rules.map(\.alternative).joined(separator: " or ")
        case .not(let rule): "not \(rule.alternative)"
        case .kind(let kind): "kind \(kind.rawValue)"
        case .category(let keys): "category \(keys.joined(separator: " or "))"
        case .cuisine(let keys): "cuisine \(keys.joined(separator: " or "))"
        case .diet(let slugs): "diet \(slugs.joined(separator: " or "))"
        case .tag(let slugs): "tag \(slugs.joined(separator: " or "))"
        case .developer(let names): "developer \(names.joined(separator: " or "))"
        case .deliveryMinutes(let minutes): "delivered in at most \(minutes) minutes"
        case .platform(let keys): "on \(keys.joined(separator: " or "))"
        case .runsOn(let versions): "runs on \(versions.map(\.description).joined(separator: " or "))"
        case .ageRating(let age): "rated for age \(age) or lower"
        case .price(let condition): condition.summary
        case .discounted(0): "on sale"
        case .discounted(let percent): "on sale at \(percent)% off or more"
        case .rating(let atLeast, let count):
            "rated \(Self.decimal(atLeast)) or better" + (count > 0 ? " by \(count.grouped) people" : "")
        case .releasedWithin(let days): "released in the last \(days == 1 ? "day" : "\(days) days")"
        case .released(.from(let day)): "released on \(day) or later"
        case .released(.before(let day)): "released before \(day)"
        case .released(.within(let days)): "released on \(days.lowerBound) or later and before \(days.upperBound)"
        case .inSection(let keys): "in section \(keys.map(\.text).joined(separator: " or "))"
        }
    }

    /// Returns the summary of a rule in a document. A rule of a newer version, which this one cannot read, is in the
    /// words of its JSON.
    package static func summary(of value: JSONValue) -> String {
        do throws(JSONError) { return try Rule(parsing: value.json(), limits: .feed).summary } catch { return value.words }
    }

    /// The summary as a part of another one, in parentheses unless it is a single condition.
    private var alternative: String {
        let text = summary
        return text.contains(", ") || text.contains(" or ") ? "(\(text))" : text
    }

    private var isAlternative: Bool {
        if case .any(let rules) = self { rules.count > 1 } else { false }
    }

    private static func decimal(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }
}

extension PriceCondition {
    fileprivate var summary: String {
        switch self {
        case .free: "free"
        case .paid: "paid"
        case .bands(let bands): "price band \(bands.map(String.init).joined(separator: " or "))"
        case .atMost(let amounts):
            "price at most \(amounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: " or ")) in minor units"
        }
    }
}

extension Int {
    /// The number with a comma before each group of three digits: `5,000`.
    fileprivate var grouped: String {
        let digits = String(self)
        return String(
            digits.enumerated().flatMap { index, digit in
                index > 0 && (digits.count - index).isMultiple(of: 3) ? [",", digit] : [digit]
            })
    }
}
