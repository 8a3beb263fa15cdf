extension SolvedSection {
    /// By how much a cell is scaled while its scroller stands at an offset; 1 without an effect or a scroller.
    package func scale(ofItem item: Int, at offset: Double) -> Double {
        guard let scroller else { return 1 }
        let (frame, width) = (frames[item], scroller.viewportExtent)
        return effects.reduce(1) { scale, effect in
            switch effect {
            case .centerScale(let min, let max):
                let middle = frame.start(scroller.axis) + frame.size[scroller.axis] / 2
                let distance = abs(middle - offset - width / 2)
                return scale * Swift.max(max.value - distance / width, min.value)
            }
        }
    }

    /// A cell's frame with the effects, about its own centre.
    package func frame(ofItem item: Int, at offset: Double) -> Rectangle {
        frames[item].scaled(by: scale(ofItem: item, at: offset))
    }
}
