internal import Feeds
internal import Items

struct RuleDescription {
    /// The lines of the description. Details are indented below their line.
    let lines: [String]

    init(_ rule: Rule) { lines = Self.lines(rule, isSo: true) }

    private static func lines(_ rule: Rule, isSo: Bool) -> [String] {
        switch rule {
        case .all(let rules): group(isSo ? "all of these are true:" : "at least one of these is false:", rules)
        case .any(let rules): group(isSo ? "at least one of these is true:" : "all of these are false:", rules)
        case .not(let rule): lines(rule, isSo: !isSo)
        default: [condition(rule, isSo: isSo)]
        }
    }

    private static func group(_ heading: String, _ rules: [Rule]) -> [String] {
        [heading] + rules.flatMap { lines($0, isSo: true) }.map { "  \($0)" }
    }

    private static func condition(_ rule: Rule, isSo: Bool) -> String {
        let not = isSo ? "" : "not "
        return switch rule {
        case .kind(.topApp): isSo ? "it is a TopApp" : "it is not a TopApp"
        case .kind(.foodApp): isSo ? "it is a FoodApp" : "it is not a FoodApp"
        case .category(let keys): "it is \(not)in the \(named("category", "categories", keys))"
        case .cuisine(let keys):
            isSo ? "it has the \(named("cuisine", "cuisines", keys))" : "it does not have the \(named("cuisine", "cuisines", keys))"
        case .diet(let slugs): "it is \(not)for the \(named("diet", "diets", slugs))"
        case .tag(let slugs): isSo ? "it has the \(named("tag", "tags", slugs))" : "it does not have the \(named("tag", "tags", slugs))"
        case .developer(let names): "it is \(not)by the \(named("developer", "developers", names))"
        case .deliveryMinutes(let minutes): "it is \(not)delivered in at most \(minutes) minutes"
        case .platform(let keys): isSo ? "it runs on \(listed(keys))" : "it does not run on \(listed(keys))"
        case .runsOn(let versions):
            (isSo ? "it is made for and runs on " : "it is not made for or does not run on ") + listed(versions.map(\.description))
        case .ageRating(let age): "it is \(not)rated for age \(age) or lower"
        case .price(let condition): price(condition, isSo: isSo)
        case .discounted(0): "it is \(not)on sale"
        case .discounted(let percent): "it is \(not)on sale at a discount of at least \(percent)%"
        case .rating(let atLeast, let count):
            "it is \(not)rated \(atLeast) or better" + (count > 0 ? " by at least \(count) people" : "")
        case .releasedWithin(let days): "it was \(not)released within \(days == 1 ? "the last day" : "the last \(days) days")"
        case .released(.from(let day)): "it was \(not)released on \(day) or later"
        case .released(.before(let day)): "it was \(not)released before \(day)"
        case .released(.within(let days)): "it was \(not)released on \(days.lowerBound) or later, and before \(days.upperBound)"
        case .inSection(let keys): "it is \(not)in a section above: \(listed(keys.map(\.text)))"
        case .all, .any, .not: ""
        }
    }

    private static func price(_ condition: PriceCondition, isSo: Bool) -> String {
        switch condition {
        case .free: isSo ? "it is free" : "it is not free"
        case .paid: isSo ? "it is paid" : "it is not paid"
        case .bands(let bands): "it is \(isSo ? "" : "not ")in the price band \(listed(bands.map(String.init)))"
        case .atMost(let amounts):
            (isSo ? "it costs at most " : "it does not cost at most ")
                + listed(amounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }) + " in minor units"
        }
    }

    private static func named(_ one: String, _ several: String, _ keys: [String]) -> String {
        "\(keys.count == 1 ? one : several) \(listed(keys))"
    }

    private static func listed(_ texts: [String]) -> String {
        texts.count < 2 ? texts.joined() : "\(texts.dropLast().joined(separator: ", ")) or \(texts[texts.count - 1])"
    }
}

extension Sort {
    var sentence: String {
        switch self {
        case .chart(let name): "by rank in the chart \(name)"
        case .rating: "by rating, highest first"
        case .releaseDate: "by release date, newest first"
        case .title: "by title"
        case .rotation(let rotation): "by rotation, one step every \(rotation.every)"
        }
    }
}
