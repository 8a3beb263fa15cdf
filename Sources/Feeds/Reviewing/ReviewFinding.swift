package import JSON
package import Layout

/// An error or warning about a document before it is published.
package struct ReviewFinding: Sendable, Equatable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let unknownItem = Code(rawValue: "UNKNOWN_ITEM")
        package static let unknownCategory = Code(rawValue: "UNKNOWN_CATEGORY")
        package static let unknownCuisine = Code(rawValue: "UNKNOWN_CUISINE")
        package static let unknownDeveloper = Code(rawValue: "UNKNOWN_DEVELOPER")
        package static let unknownTag = Code(rawValue: "UNKNOWN_TAG")
        package static let unknownPlatform = Code(rawValue: "UNKNOWN_PLATFORM")
        package static let unknownChart = Code(rawValue: "UNKNOWN_CHART")
        package static let unknownStorefront = Code(rawValue: "UNKNOWN_STOREFRONT")
        package static let unknownLocale = Code(rawValue: "UNKNOWN_LOCALE")
        package static let unknownExperiment = Code(rawValue: "UNKNOWN_EXPERIMENT")
        package static let unknownArm = Code(rawValue: "UNKNOWN_ARM")
        /// Some storefronts that show the section do not have its chart.
        package static let missingChart = Code(rawValue: "MISSING_CHART")
        package static let ruleTooLarge = Code(rawValue: "RULE_TOO_LARGE")
        package static let ruleTooSlow = Code(rawValue: "RULE_TOO_SLOW")
        package static let belowMinItems = Code(rawValue: "BELOW_MIN_ITEMS")
        package static let unavailablePin = Code(rawValue: "UNAVAILABLE_PIN")
        /// A pinned item is not always available.
        package static let partlyAvailablePin = Code(rawValue: "PARTLY_AVAILABLE_PIN")
        /// A pinned item does not run on a served platform.
        package static let ineligiblePin = Code(rawValue: "INELIGIBLE_PIN")
        /// An action opens something that a storefront does not show all the time.
        package static let deadAction = Code(rawValue: "DEAD_ACTION")
        /// An action opens a feed or a story that does not exist.
        package static let unknownFeed = Code(rawValue: "UNKNOWN_FEED")
        /// The settings do not allow the scheme of a URL.
        package static let urlScheme = Code(rawValue: "URL_SCHEME")
        /// A condition on another section is not evaluated for each client.
        package static let inSectionForAnybody = Code(rawValue: "INSECTION_FOR_ANYBODY")
        /// The excluded sections can show more items than the composer selects in addition.
        package static let inSectionTooLarge = Code(rawValue: "INSECTION_TOO_LARGE")
        package static let missingText = Code(rawValue: "MISSING_TEXT")
        /// A section with a heading has a full tree without a header.
        package static let noHeader = Code(rawValue: "NO_HEADER")
        /// A layout has a header, but the section has nothing to show in it.
        package static let emptyHeader = Code(rawValue: "EMPTY_HEADER")
        /// The section has a heading, but no header.
        package static let hiddenTitle = Code(rawValue: "HIDDEN_TITLE")
        /// The wall clock of the start has passed in some storefronts.
        package static let startsNow = Code(rawValue: "STARTS_NOW")
        /// The time is over or skipped in some storefronts.
        package static let noSpan = Code(rawValue: "NO_SPAN")
        /// The section does not exist at any time of the publication in some storefronts.
        package static let emptyDuring = Code(rawValue: "EMPTY_DURING")
        /// The publication for all storefronts would replace a base for listed ones.
        package static let localBase = Code(rawValue: "LOCAL_BASE")
        /// The cells name slots only.
        package static let noDefaultCell = Code(rawValue: "NO_DEFAULT_CELL")
    }

    /// The severity. An error prevents the publication.
    package let severity: Finding.Severity
    /// The code. A finding about a layout has the code of the layout lint.
    package let code: Code
    package let section: SectionKey?
    /// The location in the canonical form of the document.
    package let pointer: JSONPointer
    package let message: String
    package let help: String

    /// The message and the remedy as sentences. Messages of the layout lint end with a period, others do not.
    package var sentences: String { (message.hasSuffix(".") ? message : message + ".") + (help.isEmpty ? "" : " \(help)") }
}

extension ReviewFinding: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("severity", severity.rawValue)
        json.member("code", code.rawValue)
        json.member("section", section?.text)
        json.member("pointer", pointer.description)
        json.member("message", message)
        json.member("hint", help)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        severity = try object.value("severity")
        code = Code(rawValue: try object.value("code"))
        section = object.essential("section")
        pointer = try object.value("pointer")
        message = try object.value("message")
        help = object.essential("hint", default: "")
    }
}
