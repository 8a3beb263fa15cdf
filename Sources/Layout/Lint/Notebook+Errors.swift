extension Notebook {
    /// Notes why a layout cannot be solved.
    mutating func note(_ error: LayoutError) {
        let steps = [Step].group(error.path)
        switch error.code {
        case .noRoom: note(.noRoom, at: steps, "Nothing is left here once insets and gaps are taken off, so that nothing can be drawn.")
        case .zeroExtent: note(.zeroExtent, at: steps, "A child has neither an extent nor a gap, so that any number of them would fit.")
        case .tooManySlots:
            note(.tooManySlots, at: steps, "A group would hold more than \(SolverLimits.slotsPerGroup) cells; they are too small for it.")
        case .tooManyItems: note(.tooManyItems, at: steps, "There is more to place than one page may hold.")
        case .tooManySubitems: note(.tooManySubitems, at: steps, "A group lists more than \(LayoutGroup.mostSubitems) children.")
        case .tooDeep: note(.tooDeep, at: steps, "Groups hold each other more than \(LayoutGroup.greatestDepth) deep.")
        case .emptyGroup: note(.emptyGroup, at: steps, "A group without a child shows nothing.")
        }
    }
}
