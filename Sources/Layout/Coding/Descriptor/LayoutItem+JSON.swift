package import JSON

extension LayoutItem: JSONDecodable, JSONObjectEncodable {
    enum Kind: String, CaseIterable, JSONDecodable, JSONEncodable { case item, horizontal, vertical, custom }

    package init(from json: JSONReader) throws(JSONReadError) {
        try self.init(from: json, insideGroups: 0)
    }

    /// Reads a child inside `depth` groups. The depth keeps reading within the nesting that a solve allows.
    init(from json: JSONReader, insideGroups depth: Int) throws(JSONReadError) {
        var object = try json.object()
        let kind = object.required("kind", as: Kind.self)
        let size = object.required("size", as: LayoutSize.self)
        let content = Result { () throws(JSONReadError) in try Content(of: kind, &object, insideGroups: depth) }
        let contentInsets = object.essential("contentInsets", default: Insets.zero)
        let edgeSpacing = object.essential("edgeSpacing", default: EdgeSpacing.zero)
        let supplementaryItems = object.lossyArray("supplementaryItems", of: SupplementaryItem.self)
        try object.finish()
        self.init(
            try content.get(), size: try size(), contentInsets: contentInsets, edgeSpacing: edgeSpacing,
            supplementaryItems: supplementaryItems)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("kind", kind)
        json.member("size", size)
        content.encodeMembers(to: &json)
        json.member("contentInsets", contentInsets, unless: .zero)
        json.member("edgeSpacing", edgeSpacing, unless: .zero)
        json.member("supplementaryItems", supplementaryItems, unless: [])
    }

    private var kind: Kind {
        switch content {
        case .cell: .item
        case .group(let group): group.axis == .horizontal ? .horizontal : .vertical
        case .custom: .custom
        }
    }
}

extension LayoutItem.Content {
    fileprivate init(
        of kind: JSONField<LayoutItem.Kind>, _ object: inout JSONObjectReader, insideGroups depth: Int
    ) throws(JSONReadError) {
        guard let kind = kind.value else {
            Self.explain(&object, insideGroups: depth)
            self = .cell(slot: nil)  // unused, because a kind is required
            return
        }
        if kind != .item, depth >= LayoutGroup.greatestDepth {
            Self.ignore(&object)
            throw object.json.refuse(
                LayoutError(.tooDeep), "groups can be nested at most \(LayoutGroup.greatestDepth) levels deep")
        }
        switch kind {
        case .item: self = .cell(slot: object.essential("slot", default: nil))
        case .horizontal, .vertical:
            self = .group(try LayoutGroup(kind == .horizontal ? .horizontal : .vertical, &object, insideGroups: depth))
        case .custom: self = .custom(try CustomGroup(&object))
        }
    }

    /// Reports the issues of an item whose kind is unknown. Otherwise they would appear only after the kind is fixed.
    private static func explain(_ object: inout JSONObjectReader, insideGroups depth: Int) {
        if object.json.isStrict, depth < LayoutGroup.greatestDepth {
            do throws(JSONReadError) {
                if object.member("subitems") != nil { _ = try LayoutGroup(.vertical, &object, insideGroups: depth) }
                if object.member("frames") != nil { _ = try CustomGroup(&object) }
            } catch {}
        }
        ignore(&object)
    }

    /// Marks the members of other kinds as known.
    private static func ignore(_ object: inout JSONObjectReader) {
        for key in ["slot", "subitems", "fill", "interItemSpacing", "frames"] { _ = object.member(key) }
    }

    fileprivate func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .cell(let slot): json.member("slot", slot)
        case .group(let group):
            json.member("subitems", group.subitems)
            json.member("fill", group.fill, unless: .repeat)
            json.member("interItemSpacing", group.interItemSpacing, unless: .zero)
        case .custom(let group): json.member("frames", group.frames)
        }
    }
}
