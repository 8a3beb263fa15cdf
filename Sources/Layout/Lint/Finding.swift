package import JSON

/// Something that a curator should know of a layout before it is published.
package struct Finding: Sendable {
    package enum Severity: String, Sendable {
        /// Refuses a publication.
        case error
        case warning
    }

    package enum Code: String, Sendable, CaseIterable {
        case noRoom = "NO_ROOM"
        case zeroExtent = "ZERO_EXTENT"
        case tooManySlots = "TOO_MANY_SLOTS"
        case tooManyItems = "TOO_MANY_ITEMS"
        case tooManySubitems = "TOO_MANY_SUBITEMS"
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

        package var severity: Severity {
            switch self {
            case .noRoom, .zeroExtent, .tooManySlots, .tooManyItems, .tooManySubitems, .tooDeep, .emptyGroup, .brokenFallback: .error
            case .droppedSubitem, .clamped, .overflow, .crossOverflow, .fractionOfEstimate, .pageDrift, .slack, .emptyTail: .warning
            }
        }
    }

    package let code: Code
    /// Leads into the layout in full.
    package let pointer: JSONPointer
    /// The names of the screens, each followed by `rightToLeft` where it is found in that direction alone.
    package let screens: [String]
    /// Whether these are all the screens that the layout is for.
    package let isOnEveryScreen: Bool
    /// What somebody would see on the first of the screens.
    package let sentence: String

    /// The same in a document that holds the layout at a pointer.
    package func moved(below pointer: JSONPointer) -> Finding {
        Finding(
            code: code, pointer: JSONPointer(tokens: pointer.tokens + self.pointer.tokens), screens: screens,
            isOnEveryScreen: isOnEveryScreen, sentence: sentence)
    }
}

extension Finding: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", code.rawValue)
            json.member("severity", code.severity.rawValue)
            json.member("pointer", pointer.description)
            json.member("screens", screens)
            json.member("message", sentence)
        }
    }
}
