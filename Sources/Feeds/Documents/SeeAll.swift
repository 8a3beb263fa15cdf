package import Layout

/// The full list behind a section.
package struct SeeAll: Sendable, Hashable {
    package let title: LocalizedText
    package let layout: LayoutForm
}
