extension LayoutError {
    /// What is wrong, for whoever wrote the layout.
    var sentence: String {
        switch code {
        case .noRoom where path == nil: "Insets and the headers at the sides leave nothing of the screen, so that nothing can be drawn."
        case .noRoom: "Nothing is left here once insets and gaps are taken off, so that nothing can be drawn."
        case .zeroExtent: "A child has neither an extent nor a gap, so that any number of them would fit."
        case .tooManySlots: "A group would hold more than \(SolverLimits.slotsPerGroup) cells; they are too small for it."
        case .tooManyItems: "There is more to place than one page may hold."
        case .tooManySubitems: "A group lists more children than its fill takes: one that is copied, or \(LayoutGroup.mostSubitems)."
        case .tooDeep: "Groups hold each other more than \(LayoutGroup.greatestDepth) deep."
        case .emptyGroup: "A group without a child shows nothing."
        }
    }
}
