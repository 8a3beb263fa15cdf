/// A layout as a curator writes it: a short form, or the full tree.
package enum LayoutForm: Sendable, Hashable {
    case list(ListLayout)
    case grid(GridForm)
    /// A group of groups; one of the presets, or a tree of its own.
    case nestedGroup(LayoutItem)
    case carousel(CarouselForm)
    case preset(PresetChoice)
    case compositional(LayoutDescriptor)
    /// As it is on a page.
    case full(LayoutDescriptor)

    /// Writes the form out for the section at this place of its page.
    package func expanded(at sectionIndex: Int) -> Expansion {
        switch self {
        case .list(let list): return Expansion(LayoutSection(.list(list)))
        case .grid(let grid): return grid.expansion
        case .nestedGroup(let tree):
            return Expansion(LayoutDescriptor(LayoutSection(.group(tree)), family: Family(.nestedGroup)))
        case .carousel(let carousel): return carousel.expansion
        case .preset(let choice): return choice.expanded(at: sectionIndex)
        case .compositional(var descriptor):
            descriptor.family = descriptor.family ?? Family(of: descriptor.section)
            return Expansion(descriptor)
        case .full(let descriptor): return Expansion(descriptor)
        }
    }
}
