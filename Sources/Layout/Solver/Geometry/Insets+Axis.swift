extension Insets {
    func start(_ axis: Axis) -> Double { axis == .horizontal ? leading.points : top.points }

    func end(_ axis: Axis) -> Double { axis == .horizontal ? trailing.points : bottom.points }

    /// Returns the insets without those on estimated axes, because a measurement includes them.
    func dropping(width: Bool, height: Bool) -> Insets {
        Insets(
            top: height ? .zero : top, leading: width ? .zero : leading, bottom: height ? .zero : bottom,
            trailing: width ? .zero : trailing)
    }
}

extension EdgeSpacing {
    func start(_ axis: Axis) -> Spacing { axis == .horizontal ? leading : top }

    func end(_ axis: Axis) -> Spacing { axis == .horizontal ? trailing : bottom }

    func minimum(_ axis: Axis) -> Double { start(axis).minimum + end(axis).minimum }
}

extension EdgeLengths {
    func start(_ axis: Axis) -> Double { axis == .horizontal ? leading.value : top.value }

    func end(_ axis: Axis) -> Double { axis == .horizontal ? trailing.value : bottom.value }
}
