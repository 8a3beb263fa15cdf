package import JSON

/// An issue of a layout that a curator should know before publication.
package struct Finding: Sendable {
    package enum Severity: String, CaseIterable, Sendable, JSONDecodable {
        /// Prevents publication.
        case error
        case warning
    }

    package enum Code: String, Sendable, CaseIterable {
        case noRoom = "NO_ROOM"
        case zeroExtent = "ZERO_EXTENT"
        case tooManySlots = "TOO_MANY_SLOTS"
        case tooManyItems = "TOO_MANY_ITEMS"
        case tooManySubitems = "TOO_MANY_SUBITEMS"
        case oneSubitem = "ONE_SUBITEM"
        case tooDeep = "TOO_DEEP"
        case emptyGroup = "EMPTY_GROUP"
        case brokenFallback = "BROKEN_FALLBACK"
        case droppedSubitem = "DROPPED_SUBITEM"
        case clamped = "CLAMPED"
        case overflow = "OVERFLOW"
        case crossOverflow = "CROSS_OVERFLOW"
        case fractionOfEstimate = "FRACTION_OF_ESTIMATE"
        case pageDrift = "PAGE_DRIFT"
        case slack = "SLACK"
        case emptyTail = "EMPTY_TAIL"
        case fixedTextRow = "FIXED_TEXT_ROW"
        case unusedVariant = "UNUSED_VARIANT"

        package var severity: Severity {
            switch self {
            case .noRoom, .zeroExtent, .tooManySlots, .tooManyItems, .tooManySubitems, .oneSubitem, .tooDeep, .emptyGroup,
                .brokenFallback:
                .error
            case .droppedSubitem, .clamped, .overflow, .crossOverflow, .fractionOfEstimate, .pageDrift, .slack, .emptyTail,
                .fixedTextRow, .unusedVariant:
                .warning
            }
        }
    }

    package let code: Code
    /// The pointer into the expanded layout.
    package let pointer: JSONPointer
    /// The names of the screens. A name is followed by `rightToLeft` if the finding occurs only in that direction.
    package let screens: [String]
    /// Whether the finding occurs on all screens of the layout.
    package let isOnEveryScreen: Bool
    /// The description of the visible problem on the first of the screens.
    package let sentence: String

    /// Returns the finding for a document that contains the layout at a pointer.
    package func moved(below pointer: JSONPointer) -> Finding {
        Finding(
            code: code, pointer: JSONPointer(tokens: pointer.tokens + self.pointer.tokens), screens: screens,
            isOnEveryScreen: isOnEveryScreen, sentence: sentence)
    }
}

extension Finding: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("code", code.rawValue)
        json.member("severity", code.severity.rawValue)
        json.member("pointer", pointer.description)
        json.member("screens", screens)
        json.member("message", sentence)
    }
}

extension LayoutError {
    var sentence: String {
        switch code {
        case .noRoom where path == nil: "Insets and headers at the sides leave no room on the screen, so nothing can be drawn."
        case .noRoom: "Insets and spacing leave no room here, so nothing can be drawn."
        case .zeroExtent: "A subitem has no size and no spacing, so an unlimited number would fit."
        case .tooManySlots: "The cells are so small that a group would have more than \(SolverLimits.slotsPerGroup) of them."
        case .tooManyItems: "The page has too many elements. Use fewer or larger cells."
        case .tooManySubitems: "A group has more than \(LayoutGroup.maxSubitems) subitems."
        case .oneSubitem: "A group that copies its subitem with equal or times has more than one subitem."
        case .tooDeep: "Groups are nested more than \(LayoutGroup.greatestDepth) levels deep."
        case .emptyGroup: "A group without subitems shows nothing."
        }
    }
}

extension LayoutTable {
    /// Returns the invalid fallbacks as findings. The pointer leads to the table.
    package func findings(at pointer: JSONPointer) -> [Finding] {
        brokenFallbacks.map { broken in
            Finding(
                code: .brokenFallback, pointer: pointer.appending(broken.layout.text), screens: [], isOnEveryScreen: true,
                sentence: broken.reason.sentence)
        }
    }
}

extension BrokenFallback.Reason {
    fileprivate var sentence: String {
        switch self {
        case .endsBeforeTheCore(let needs):
            "A client without \(needs.sorted().map(\.name).joined(separator: ", ")) cannot show this layout, and the layout has no fallback."
        case .missing(let id): "A client that cannot show this layout gets the fallback \(id.text), which does not exist."
        case .notFewer(let id): "The fallback \(id.text) requires no fewer capabilities than this layout, so no client uses it."
        case .needless: "Every client can show this layout, so its fallback is never used."
        }
    }
}
