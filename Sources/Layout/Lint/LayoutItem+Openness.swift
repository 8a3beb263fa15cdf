extension LayoutItem {
    /// Whether its extent follows from its content; not where its group imposes one.
    func isOpen(_ axis: Axis, imposed: Axis?) -> Bool { size[axis].isEstimated && axis != imposed }

    /// The axis on which it gives its children equal shares, whatever they ask for.
    func axisImposed(on group: LayoutGroup, imposed: Axis?) -> Axis? {
        if case .equal = group.fill, !isOpen(group.axis, imposed: imposed) { group.axis } else { nil }
    }
}
