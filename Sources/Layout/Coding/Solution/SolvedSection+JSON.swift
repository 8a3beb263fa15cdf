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
