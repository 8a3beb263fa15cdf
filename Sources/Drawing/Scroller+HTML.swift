internal import Layout

extension PreviewScene.Scroller {
    /// The script that scrolls each scroller of a page to its start.
    static let startScript = """
        <script>
        for (const scroller of document.querySelectorAll(".scroller")) {
          scroller.scrollTo(scroller.classList.contains("down") ? {top: scroller.dataset.start} : {left: scroller.dataset.start});
        }
        </script>
        """

    /// Returns an element that scrolls its content and snaps at the resting positions. Its classes are `scroller`, and
    /// `down` if it scrolls vertically; the content starts at ``lead``.
    func html(in frame: Rectangle, content: String) -> String {
        let snap = restingOffsets.isEmpty ? "" : ";scroll-snap-type:\(isHorizontal ? "x" : "y") mandatory"
        let rests = restingOffsets.prefix(500).map { rest in
            "<div class=\"rest\" style=\"\(isHorizontal ? "left" : "top"):\((rest + lead).plain)px\"></div>"
        }
        return "<div class=\"scroller\(isHorizontal ? "" : " down")\" data-start=\"\((offset + lead).plain)\" "
            + "style=\"\(frame.css)\(snap)\">\(rests.joined())\(content)</div>\n"
    }
}

extension Rectangle {
    /// The place of an absolutely positioned element.
    var css: String { "left:\(x.plain)px;top:\(y.plain)px;width:\(width.plain)px;height:\(height.plain)px" }
}
