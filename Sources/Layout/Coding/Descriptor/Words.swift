package import JSON

extension ScrollingBehavior: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [
            ("none", .none), ("continuous", .continuous), ("continuousGroupLeadingBoundary", .continuousGroupLeadingBoundary),
            ("paging", .paging), ("groupPaging", .groupPaging), ("groupPagingCentered", .groupPagingCentered),
        ]
    }
}

extension ScrollingProperties.Bounce: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("automatic", .automatic), ("always", .always), ("never", .never)] }
}

extension ScrollingProperties.DecelerationRate: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("automatic", .automatic), ("normal", .normal), ("fast", .fast)] }
}

extension InsetsReference: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [
            ("automatic", .automatic), ("none", .none), ("safeArea", .safeArea), ("layoutMargins", .layoutMargins),
            ("readableContent", .readableContent),
        ]
    }
}

extension Alignment: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [
            ("top", .top), ("topLeading", .topLeading), ("topTrailing", .topTrailing), ("bottom", .bottom),
            ("bottomLeading", .bottomLeading), ("bottomTrailing", .bottomTrailing), ("leading", .leading), ("trailing", .trailing),
        ]
    }
}

extension Axis: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("horizontal", .horizontal), ("vertical", .vertical)] }
}

extension ListLayout.Appearance: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [
            ("plain", .plain), ("grouped", .grouped), ("insetGrouped", .insetGrouped), ("sidebar", .sidebar),
            ("sidebarPlain", .sidebarPlain),
        ]
    }
}

extension ListLayout.HeaderMode: KeywordEnum {
    package static var words: [(word: String, value: Self)] {
        [("none", .none), ("supplementary", .supplementary), ("firstItemInSection", .firstItemInSection)]
    }
}

extension ListLayout.FooterMode: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("none", .none), ("supplementary", .supplementary)] }
}

extension LayoutEnvironment.SizeClass: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("compact", .compact), ("regular", .regular)] }
}

extension LayoutEnvironment.LayoutDirection: KeywordEnum {
    package static var words: [(word: String, value: Self)] { [("leftToRight", .leftToRight), ("rightToLeft", .rightToLeft)] }
}

package protocol KeywordEnum: Equatable, Sendable, JSONDecodable, JSONEncodable {
    static var words: [(word: String, value: Self)] { get }
}

extension KeywordEnum {
    package init(from json: JSONReader) throws(JSONReadError) {
        let words = Self.words
        self = words[try json.place(among: words.map(\.word))].value
    }

    package func encode(to json: inout JSONWriter) { json.string(word) }

    package var word: String { Self.words.first { $0.value == self }?.word ?? "" }
}

/// What can be wrong with a layout beyond its JSON; `LayoutError.Code` has the others.
extension JSONIssue.Code {
    package static let badID: Self = "BAD_ID"
    package static let brokenFallback: Self = "BROKEN_FALLBACK"
    package static let insetRange: Self = "INSET_RANGE"
}

extension JSONReader {
    func refuse(_ error: LayoutError, _ message: @autoclosure () -> String) -> JSONReadError {
        refuse(JSONIssue.Code(rawValue: error.code.text), message())
    }
}

extension LayoutError.Code: JSONEncodable {
    package var text: String {
        switch self {
        case .noRoom: "NO_ROOM"
        case .zeroExtent: "ZERO_EXTENT"
        case .tooManySlots: "TOO_MANY_SLOTS"
        case .tooManySubitems: "TOO_MANY_SUBITEMS"
        case .tooDeep: "TOO_DEEP"
        case .emptyGroup: "EMPTY_GROUP"
        case .tooManyItems: "TOO_MANY_ITEMS"
        }
    }

    package func encode(to json: inout JSONWriter) { text.encode(to: &json) }
}
