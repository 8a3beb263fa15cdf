package import Items
package import JSON
internal import Resolve

/// The values of an item that rules compare, such as its delivery time. The index of the catalog has them by name.
///
/// A value is a text whose order is that of the numbers: each number of a version follows the count of its digits, and
/// zeros at the end are left out. Thus 9 is `19`, 16.2 is `21612`, and 0 is an empty text.
package struct RuleMeasures: Sendable, Hashable {
    /// The longest delivery time in minutes.
    static let deliveryMinutes = "delivery"

    /// The least version of a platform that the item is made for.
    static func minimumOS(_ platform: String) -> String { "\(osPrefix)\(platform)" }

    /// The least age in a rating scheme.
    static func minimumAge(_ scheme: String) -> String { "age:\(scheme)" }

    fileprivate static let osPrefix = "os:"
    /// The version of an item that runs on every platform.
    fileprivate static let anyOS = "os:*"

    private let values: [String: String]

    package init(_ values: [String: String] = [:]) { self.values = values }

    subscript(name: String) -> String? { values[name] ?? (name.hasPrefix(Self.osPrefix) ? values[Self.anyOS] : nil) }

    /// Returns the text of a number that is not negative.
    package static func key(of number: Int) -> String { number > 0 ? key(ofParts: ["\(number)"]) : "" }

    static func key(of version: Version) -> String {
        let parts = version.description.split(separator: ".").map(String.init)
        return parts == ["0"] ? "" : key(ofParts: parts)
    }

    private static func key(ofParts parts: [String]) -> String { parts.map { "\($0.utf8.count)\($0)" }.joined() }
}

extension RuleMeasures: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        self.init(try json.decode(as: [String: String].self))
    }
}

extension ItemFacts {
    /// Returns the label of a storefront's rating scheme whose age rules compare, or nil if the item has no age there.
    package func ageRating(in storefront: Storefront, isMapped: Bool) -> ShownAgeRating? {
        let scheme = storefront.ratingScheme
        guard let measure = measures[RuleMeasures.minimumAge(scheme)] else { return nil }
        return storefront.ratingSchemes.ages[scheme]?.first { RuleMeasures.key(of: $0.value) == measure }.map {
            ShownAgeRating(scheme: scheme, label: $0.key, minimumAge: $0.value, isMapped: isMapped)
        }
    }
}

/// The values that a measure can have. Without bounds, an item can also lack it.
struct MeasureRange: Sendable, Hashable {
    /// A bound that the value must exceed. A missing value exceeds every bound.
    var above: String?
    var atMost: String?

    /// Whether no value is within the bounds.
    var isEmpty: Bool { if let above, let atMost { above >= atMost } else { false } }

    func and(_ other: MeasureRange) -> MeasureRange {
        MeasureRange(
            above: [above, other.above].compactMap(\.self).max(), atMost: [atMost, other.atMost].compactMap(\.self).min())
    }

    /// Whether every value within the bounds is also within the others.
    func implies(_ other: MeasureRange) -> Bool {
        (other.above.map { bound in above.map { $0 >= bound } ?? false } ?? true)
            && (other.atMost.map { bound in atMost.map { $0 <= bound } ?? false } ?? true)
    }

    func contains(_ value: String?) -> Bool {
        guard let value else { return atMost == nil }
        return (above.map { value > $0 } ?? true) && (atMost.map { value <= $0 } ?? true)
    }
}

extension [String: MeasureRange] {
    /// The conditions on measures as a `jsonpath` predicate, or nil without conditions.
    var path: String? {
        let conditions = sorted { $0.key < $1.key }.flatMap { name, range in
            [range.above.map { "!\(Self.isAtMost($0, name))" }, range.atMost.map { Self.isAtMost($0, name) }].compactMap(\.self)
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " && ")
    }

    private static func isAtMost(_ bound: String, _ name: String) -> String {
        let names = name.hasPrefix(RuleMeasures.osPrefix) ? [name, RuleMeasures.anyOS] : [name]
        return "(" + names.map { "$.\(quoted($0)) <= \"\(bound)\"" }.joined(separator: " || ") + ")"
    }

    /// Returns the name as a key of a path, which is a JSON string.
    private static func quoted(_ name: String) -> String {
        var json = JSONWriter()
        name.encode(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
