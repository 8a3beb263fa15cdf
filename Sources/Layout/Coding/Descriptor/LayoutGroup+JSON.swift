package import JSON

extension LayoutGroup {
    init(_ axis: Axis, _ object: inout JSONObjectReader, insideGroups depth: Int) throws(JSONReadError) {
        let fill = object.essential("fill", default: Fill.repeat)
        let interItemSpacing = object.essential("interItemSpacing", default: Spacing.zero)
        guard let list = object.member("subitems") else {
            throw object.refuse(.missingKey, at: "subitems", "the key \"subitems\" is missing")
        }
        let subitems = try list.list(of: fill.maxSubitems, fill.expectedSubitems, or: fill.surplus) { child throws(JSONReadError) in
            try LayoutItem(from: child, insideGroups: depth + 1)
        }
        do throws(LayoutError) {
            try self.init(axis, subitems: subitems, fill: fill, interItemSpacing: interItemSpacing)
        } catch {
            throw list.refuse(error, "expected \(fill.expectedSubitems), found \(subitems.count)")
        }
    }
}

extension CustomGroup {
    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        guard let list = object.member("frames") else {
            throw object.refuse(.missingKey, at: "frames", "the key \"frames\" is missing")
        }
        let frames = try list.list(of: Self.maxFrames, "1 to \(Self.maxFrames) frames", or: .tooManySlots) {
            frame throws(JSONReadError) in
            try frame.decode(as: Frame.self)
        }
        do throws(LayoutError) {
            try self.init(frames: frames)
        } catch {
            throw list.refuse(error, "expected 1 to \(Self.maxFrames) frames, found \(frames.count)")
        }
    }
}

extension JSONReader {
    /// Reads an array and checks its length as well as its elements.
    fileprivate func list<Element>(
        of maximum: Int, _ expected: @autoclosure () -> String, or code: LayoutError.Code,
        _ read: (JSONReader) throws(JSONReadError) -> Element
    ) throws(JSONReadError) -> [Element] {
        let count = try elements().underestimatedCount
        do throws(JSONReadError) {
            return try list(read)
        } catch {
            if count > maximum { throw refuse(LayoutError(code), "expected \(expected()), found \(count)") }
            throw error
        }
    }
}

extension CustomGroup.Frame: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let x = object.essential("x", default: 0 as Coordinate)
        let y = object.essential("y", default: 0 as Coordinate)
        let width = object.required("width", as: Magnitude.self)
        let height = object.required("height", as: Magnitude.self)
        let zIndex = object.essential("zIndex", default: 0, .zIndex)
        self.init(x: x, y: y, width: try width(), height: try height(), zIndex: zIndex)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("x", origin.x, unless: 0)
        json.member("y", origin.y, unless: 0)
        json.member("width", width)
        json.member("height", height)
        json.member("zIndex", zIndex, unless: 0)
    }
}

extension Fill {
    /// The expected length, for an error message.
    fileprivate var expectedSubitems: String {
        switch self {
        case .repeat: "1 to \(maxSubitems) subitems"
        case .equal: "one subitem, which \"equal\" copies"
        case .times: "one subitem, which \"times\" copies"
        }
    }
}

extension Fill: JSONDecodable, JSONEncodable {
    enum Key: String, CaseIterable { case equal, times }

    package init(from json: JSONReader) throws(JSONReadError) {
        switch json.kind {
        case .string:
            _ = try json.choice(among: ["repeat"])
            self = .repeat
        case .object:
            let (key, value) = try json.variant(of: Key.self)
            let copies = try value.decode(as: RepeatCount.self)
            self = key == .equal ? .equal(copies) : .times(copies)
        default: throw json.mismatch("\"repeat\", {\"equal\": n} or {\"times\": n}")
        }
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .repeat: json.string("repeat")
        case .equal(let copies): json.object { json in json.member(Key.equal.rawValue, copies) }
        case .times(let copies): json.object { json in json.member(Key.times.rawValue, copies) }
        }
    }
}

extension Fill.RepeatCount: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        let count = try json.decode(as: Int.self)
        guard let copies = Fill.RepeatCount(count) else { throw json.refuse(.outOfRange, "expected at least 1, found \(count)") }
        self = copies
    }

    package func encode(to json: inout JSONWriter) { json.integer(count) }
}
