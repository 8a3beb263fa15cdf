import Values

extension ListHistory {
    /// The parts of the token of a list, without the generation.
    struct Order: Hashable {
        var rule = 0
        var sort = 0
        var isGrouped = false
    }

    /// A document: a section `all` with the list, and another section.
    struct Content {
        var order = Order()
        /// Whether the section `all` is missing.
        var isHidden = false
        /// The members of the document that do not belong to the list.
        var others = 0
        var size = 20
        var pins: [Int] = []
        var excluded: Set<Int> = []
        var continues = false
        var hasCondition = false

        var text: String {
            let rule = ListHistory.rules[order.rule]
            let condition = hasCondition ? #"{"all": [\#(rule), {"not": {"inSection": "other"}}]}"# : rule
            let sorting = #""sort": \#(ListHistory.sorts[order.sort])"# + (order.isGrouped ? #", "group": "initial""# : "")
            let pinned = pins.enumerated().filter { $0.offset < size }
                .map { #"{"slot": \#($0.offset), "item": "\#(ListHistory.id($0.element))"}"# }
            let exclude = excluded.subtracting(pins).sorted().map { "\"\(ListHistory.id($0))\"" }
            let ownItems = #""pins": [\#(pinned.joined(separator: ","))], "exclude": [\#(exclude.joined(separator: ","))]"#
            let title = #"{"en": "All \#(others)"}"#
            let list =
                continues
                ? #""rule": \#(condition), \#(sorting), "continues": true, \#(ownItems)"#
                : #""rule": \#(condition), "sort": "-rating", \#(ownItems), "seeAll": {"title": \#(title), \#(sorting), "size": 1000}"#
            let all = #"{"key": "all", "title": \#(title), "layout": {"list": {}}, "cell": "row", "size": \#(size), \#(list)}"#
            let grid = #"{"grid": {"columns": \#(others % 5 + 1)}}"#
            let other =
                #"{"key": "other", "layout": \#(grid), "cell": "row", "size": 3, "rule": \#(ListHistory.rules[others % 3])}"#
            return #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(other)\#(isHidden ? "" : ", " + all)]}"#
        }
    }

    fileprivate static let rules = [#"{"kind": "topApp"}"#, #"{"rating": {"atLeast": 3}}"#, #"{"not": {"rating": {"atLeast": 4.5}}}"#]
    fileprivate static let sorts = [#""-rating""#, #""-releaseDate""#, #""title""#]

    private static func id(_ number: Int) -> UUID { UUID(high: 0, low: UInt64(number)) }
}
