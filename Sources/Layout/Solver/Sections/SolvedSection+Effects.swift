/// The appearance of a cell at a scroll offset.
package struct CellEffects: Sendable, Equatable {
    /// The factor of the cell's size, about its center.
    package var scale = 1.0
    /// The opacity, from 0 to 1.
    package var opacity = 1.0
    /// The displacement of the cell's content along the scroller, in points.
    package var contentOffset = 0.0
}

extension SolvedSection {
    /// Returns the effects on a cell at a scroll offset. Without a scroller, nothing changes.
    package func effects(onItem item: Int, at offset: Double) -> CellEffects {
        var result = CellEffects()
        guard let scroller else { return result }
        let (frame, extent) = (frames[item], scroller.viewportExtent)
        let distance = frame.start(scroller.axis) + frame.size[scroller.axis] / 2 - offset - extent / 2
        let relative = abs(distance) / extent
        for effect in effects {
            switch effect {
            case .centerScale(let min, let max): result.scale *= Swift.max(max.value - relative, min.value)
            case .fade(let min): result.opacity *= Swift.max(1 - (1 - min.value) * relative, min.value)
            case .parallax(let factor): result.contentOffset -= factor.value * distance
            }
        }
        return result
    }

    /// Returns a cell's frame with effects, scaled about its center.
    package func frame(ofItem item: Int, at offset: Double) -> Rectangle {
        frames[item].scaled(by: effects(onItem: item, at: offset).scale)
    }
}

extension SolvedScroller {
    /// Returns the index of the resting offset that is nearest to an offset, the first of two. Returns nil if the section
    /// scrolls freely or shows nothing.
    package func page(at offset: Double) -> Int? {
        var nearest: (page: Int, distance: Double)?
        for (page, rest) in restingOffsets.enumerated() {
            let distance = abs(rest - offset)
            if nearest.map({ distance < $0.distance }) ?? true { nearest = (page, distance) }
        }
        return nearest?.page
    }
}
