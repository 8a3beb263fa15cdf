extension LayoutChoice {
    /// The slots that a cell style can be given to, in any of the layouts, each once in the order of the cells.
    package var slots: [Name] {
        let expansion = expanded(at: 0)
        var slots: [Name] = []
        for layout in [expansion.layout] + expansion.variants.map(\.layout) + expansion.alternates.map(\.layout) {
            if case .group(let item) = layout.section.content { item.appendSlots(to: &slots) }
        }
        return slots
    }
}

extension LayoutItem {
    fileprivate func appendSlots(to slots: inout [Name]) {
        switch content {
        case .cell(let slot): if let slot, !slots.contains(slot) { slots.append(slot) }
        case .group(let group): for child in group.subitems { child.appendSlots(to: &slots) }
        case .custom: break
        }
    }
}
