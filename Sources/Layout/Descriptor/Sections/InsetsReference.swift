/// What a section keeps clear of before its own insets.
package enum InsetsReference: Sendable, Hashable {
    /// The page's reference for a section, the safe area for a page.
    case automatic
    case none
    case safeArea
    case layoutMargins
    case readableContent
}
