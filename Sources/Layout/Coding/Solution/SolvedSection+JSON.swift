package import JSON

extension SolvedSection {
    /// What is empty besides frames, groups and warnings is left out.
    func encode(to json: inout JSONWriter, scale: Scale) {
        json.object { json in
            json.member("slotsPerGroup", slotsPerGroup)
            json.member("groupCount", groupFrames.count)
            json.member("start", start.published)
            json.member("end", end.published)
            json.key("frames")
            json.array { json in for frame in frames { json.value(frame) } }
            json.key("pixelFrames")
            json.array { json in for frame in frames { json.value(frame.snapped(to: scale)) } }
            json.key("groupFrames")
            json.array { json in for frame in groupFrames { json.value(frame) } }
            json.member("warnings", warnings)
            if isList { json.member("estimated", true) }
            if !supplementaryItems.isEmpty { json.member("supplementaryItems", supplementaryItems) }
            if !boundaryItems.isEmpty { json.member("boundarySupplementaryItems", boundaryItems) }
            if !decorationItems.isEmpty { json.member("decorationItems", decorationItems) }
            json.member("orthogonal", scroller)
            if !effects.isEmpty, let scroller { encodeEffects(to: &json, at: scroller.initialOffset) }
        }
    }

    /// Of the first items only: a sample to compare implementations with.
    private func encodeEffects(to json: inout JSONWriter, at offset: Double) {
        json.key("effectsAtOffsetZero")
        json.array { json in
            for item in frames.indices.prefix(4) {
                json.object { json in
                    json.member("item", item)
                    json.member("scale", scale(ofItem: item, at: offset).published)
                    json.member("frame", frame(ofItem: item, at: offset))
                }
            }
        }
    }
}

extension SolvedSupplementary: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("item", item)
            json.member("elementKind", elementKind.text)
            json.member("frame", frame)
        }
    }
}

extension SolvedBoundaryItem: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("elementKind", elementKind.text)
            json.member("frame", frame)
        }
    }
}

extension SolvedDecoration: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("elementKind", elementKind.text)
            json.member("frame", frame)
        }
    }
}

extension SolvedPage: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("contentSize", contentSize)
            json.key("sections")
            json.array { json in
                for section in sections { section.encode(to: &json, scale: scale) }
            }
            if !boundaryItems.isEmpty { json.member("boundarySupplementaryItems", boundaryItems) }
        }
    }
}

extension SolvedScroller: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("behavior", behavior)
            json.member("viewport", viewport)
            json.member("contentExtent", contentExtent.published)
            json.member("maximumOffset", maximumOffset.published)
            json.key("pageExtent")
            if let pageExtent { json.value(pageExtent.published) } else { json.null() }
            json.member("additionalInsets") { json in
                json.member("leading", additionalInsets.leading.published)
                json.member("trailing", additionalInsets.trailing.published)
            }
            json.member("restingOffsets", restingOffsets.map(\.published))
        }
    }
}

extension SolverWarnings: JSONEncodable {
    /// The codes that curators see, sorted.
    package var codes: [String] {
        let all: [(SolverWarnings, String)] = [
            (.clamped, "CLAMPED"), (.crossOverflow, "CROSS_OVERFLOW"), (.droppedSubitem, "DROPPED_SUBITEM"), (.overflow, "OVERFLOW"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }

    package func encode(to json: inout JSONWriter) { json.value(codes) }
}

extension MeasuredSize: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let width = object.optional("width", as: Magnitude.self)
        let height = object.optional("height", as: Magnitude.self)
        try object.finish()
        self.init(width: width, height: height)
    }
}

extension Double {
    /// Four decimals, as frames are published.
    var published: Double { (self * 10_000).rounded() / 10_000 }
}

extension Rectangle: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("x", x.published)
            json.member("y", y.published)
            json.member("width", width.published)
            json.member("height", height.published)
        }
    }
}

extension PointSize: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("width", width.published)
            json.member("height", height.published)
        }
    }
}
