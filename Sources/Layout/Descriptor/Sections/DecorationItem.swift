/// A background behind a whole section.
package struct DecorationItem: Sendable, Hashable {
    package var elementKind: Name
    package var contentInsets: Insets
    package var zIndex: Int

    package init(elementKind: Name, contentInsets: Insets = .zero, zIndex: Int = 0) {
        self.elementKind = elementKind
        self.contentInsets = contentInsets
        self.zIndex = zIndex
    }
}
