package import JSON

extension SolvedSection {
    /// Writes the section. Omits empty members, except frames, groups and warnings.
    func encode(to json: inout JSONWriter, scale: Scale) {
        json.object { json in
            json.member("slotsPerGroup", slotsPerGroup)
            json.member("groupCount", groupFrames.count)
            json.member("start", start.published)
            json.member("end", end.published)
            json.member("frames", each: frames) { json, frame in json.value(frame) }
            json.member("pixelFrames", each: frames) { json, frame in json.value(frame.snapped(to: scale)) }
            json.member("groupFrames", each: groupFrames) { json, frame in json.value(frame) }
            json.member("warnings", warnings)
            if isList { json.member("estimated", true) }
            if !supplementaryItems.isEmpty { json.member("supplementaryItems", supplementaryItems) }
            if !boundaryItems.isEmpty {
                json.member("boundarySupplementaryItems", each: boundaryItems) { json, item in encode(item, to: &json) }
            }
            if !decorationItems.isEmpty { json.member("decorationItems", decorationItems) }
            json.member("orthogonal", scroller)
            if !effects.isEmpty, let scroller { encodeEffects(to: &json, at: scroller.initialOffset) }
        }
    }

    /// Writes a boundary item. A page indicator has the page at the initial offset and the number of pages.
    private func encode(_ item: SolvedBoundaryItem, to json: inout JSONWriter) {
        json.object { json in
            item.encodeMembers(to: &json)
            guard item.elementKind == .pageIndicator, let scroller, let page = scroller.page(at: scroller.initialOffset) else { return }
            json.member("page", page)
            json.member("pageCount", scroller.restingOffsets.count)
        }
    }

    /// Writes the effects of the first few items, as a sample for comparing implementations.
    private func encodeEffects(to json: inout JSONWriter, at offset: Double) {
        let capabilities = Set(effects.map(\.capability))
        json.member("effectsAtOffsetZero", each: frames.indices.prefix(4)) { json, item in
            let effects = effects(onItem: item, at: offset)
            json.object { json in
                json.member("item", item)
                if capabilities.contains(.centerScale) { json.member("scale", effects.scale.published) }
                if capabilities.contains(.fade) { json.member("opacity", effects.opacity.published) }
                if capabilities.contains(.parallax) { json.member("contentOffset", effects.contentOffset.published) }
                json.member("frame", frame(ofItem: item, at: offset))
            }
        }
    }
}

extension SolvedSupplementary: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("item", item)
        json.member("elementKind", elementKind.text)
        json.member("frame", frame)
    }
}

extension SolvedBoundaryItem: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("elementKind", elementKind.text)
        json.member("frame", frame)
    }
}

extension SolvedDecoration: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("elementKind", elementKind.text)
        json.member("frame", frame)
        json.member("fill", fill)
        json.member("cornerRadius", cornerRadius, unless: 0)
    }
}

extension SolvedPage: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("contentSize", contentSize)
        json.member("sections", each: sections) { json, section in section.encode(to: &json, scale: scale) }
        if !boundaryItems.isEmpty { json.member("boundarySupplementaryItems", boundaryItems) }
    }
}

extension SolvedScroller: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
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

extension SolverWarnings: JSONEncodable {
    /// The sorted codes that curators see.
    package var codes: [String] {
        let all: [(SolverWarnings, String)] = [
            (.clamped, "CLAMPED"), (.crossOverflow, "CROSS_OVERFLOW"), (.droppedSubitem, "DROPPED_SUBITEM"), (.overflow, "OVERFLOW"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }

    package func encode(to json: inout JSONWriter) { json.value(codes) }
}

extension MeasuredSize: JSONObjectDecodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        width = object.optional("width")
        height = object.optional("height")
    }
}

/// The measurements of a section: an array of its items, or an object with its header and its footer as well.
extension SectionMeasurements: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        if json.kind == .array {
            self.init(items: try json.decode())
            return
        }
        var object = try json.object()
        let items = object.value("items", default: [MeasuredSize]())
        let header = object.value("header", default: MeasuredSize.unknown)
        let footer = object.value("footer", default: MeasuredSize.unknown)
        try object.finish()
        self.init(items: items, header: header, footer: footer)
    }
}

extension Double {
    /// The value with four decimals, as published in frames.
    var published: Double { (self * 10_000).rounded() / 10_000 }
}

extension Rectangle: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("x", x.published)
        json.member("y", y.published)
        json.member("width", width.published)
        json.member("height", height.published)
    }
}

extension PointSize: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("width", width.published)
        json.member("height", height.published)
    }
}
