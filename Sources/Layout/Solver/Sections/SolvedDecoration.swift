/// A background where it lies.
package struct SolvedDecoration: Sendable, Equatable {
    package let elementKind: Name
    package var frame: Rectangle
    package let zIndex: Int

    init(_ decoration: DecorationItem, in section: Rectangle) {
        elementKind = decoration.elementKind
        frame = section.inset(by: decoration.contentInsets)
        zIndex = decoration.zIndex
    }
}
