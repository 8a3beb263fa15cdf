package import JSON

extension LayoutSection: JSONDecodable, JSONEncodable {
    enum Key: String, CaseIterable { case group, list }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let section = Result { () throws(JSONReadError) in try LayoutSection(&object) }
        try object.finish()
        self = try section.get()
    }

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let content = object.choice(of: Key.self)
        let section = Result { () throws(JSONReadError) in LayoutSection(try Content(try content())) }
        let contentInsets = object.essential("contentInsets", default: Insets.zero)
        let reference = object.essential("contentInsetsReference", default: InsetsReference.automatic)
        let supplementaryReference = object.essential("supplementaryContentInsetsReference", default: InsetsReference.automatic)
        let interGroupSpacing = object.essential("interGroupSpacing", default: 0 as Magnitude)
        let behavior = object.value("orthogonalScrollingBehavior", default: ScrollingBehavior.none, faulty: .continuous)
        let properties = object.value("orthogonalScrollingProperties", default: ScrollingProperties.automatic)
        let boundaryItems = object.essential("boundarySupplementaryItems", default: [BoundaryItem]())
        let decorationItems = object.lossyArray("decorationItems", of: DecorationItem.self)
        let effects = object.lossyArray("effects", of: Effect.self)
        self = try section.get()
        self.contentInsets = contentInsets
        contentInsetsReference = reference
        supplementaryContentInsetsReference = supplementaryReference
        self.interGroupSpacing = interGroupSpacing
        orthogonalScrollingBehavior = behavior
        orthogonalScrollingProperties = properties
        boundarySupplementaryItems = boundaryItems
        self.decorationItems = decorationItems
        self.effects = effects
    }

    package func encode(to json: inout JSONWriter) {
        json.object { encodeMembers(to: &$0) }
    }

    func encodeMembers(to json: inout JSONWriter) {
        switch content {
        case .group(let group): json.member(Key.group.rawValue, group)
        case .list(let list): json.member(Key.list.rawValue, list)
        }
        json.member("contentInsets", contentInsets, unless: .zero)
        json.member("contentInsetsReference", contentInsetsReference, unless: .automatic)
        json.member("supplementaryContentInsetsReference", supplementaryContentInsetsReference, unless: .automatic)
        json.member("interGroupSpacing", interGroupSpacing, unless: 0)
        json.member("orthogonalScrollingBehavior", orthogonalScrollingBehavior, unless: .none)
        json.member("orthogonalScrollingProperties", orthogonalScrollingProperties, unless: .automatic)
        json.member("boundarySupplementaryItems", boundarySupplementaryItems, unless: [])
        json.member("decorationItems", decorationItems, unless: [])
        json.member("effects", effects, unless: [])
    }
}

extension LayoutSection.Content {
    fileprivate init(_ choice: (LayoutSection.Key, JSONReader)) throws(JSONReadError) {
        switch choice {
        case (.list, let json): self = .list(try json.decode())
        case (.group, let json):
            self = .group(try LayoutItem(repeated: json))
        }
    }
}

extension LayoutItem {
    /// Reads what a section repeats: a group of any kind.
    init(repeated json: JSONReader) throws(JSONReadError) {
        try self.init(from: json)
        if case .cell = content {
            throw json.refuse(.notOneOf, "a section repeats a group, and this is an item", hint: "put it into a group's subitems")
        }
    }
}

extension ScrollingProperties: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let bounce = object.value("bounce", default: Bounce.automatic)
        let rate = object.value("decelerationRate", default: DecelerationRate.automatic)
        try object.finish()
        self.init(bounce: bounce, decelerationRate: rate)
    }

    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("bounce", bounce, unless: .automatic)
            json.member("decelerationRate", decelerationRate, unless: .automatic)
        }
    }
}

extension Effect: JSONDecodable, JSONEncodable {
    private enum Key: String, CaseIterable { case centerScale }

    private struct Bounds: JSONDecodable {
        let min: Magnitude
        let max: Magnitude

        init(from json: JSONReader) throws(JSONReadError) {
            var object = try json.object()
            let min = object.required("min", as: Magnitude.self)
            let max = object.required("max", as: Magnitude.self)
            try object.finish()
            self.min = try min()
            self.max = try max()
            guard self.min.value <= self.max.value else {
                throw object.refuse(.outOfRange, at: "min", "the smallest scale is above the greatest")
            }
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        let (_, value) = try json.variant(of: Key.self)
        let bounds = try value.decode(as: Bounds.self)
        self = .centerScale(min: bounds.min, max: bounds.max)
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .centerScale(let min, let max):
            json.object { json in
                json.member(Key.centerScale.rawValue) { json in
                    json.member("min", min)
                    json.member("max", max)
                }
            }
        }
    }
}
