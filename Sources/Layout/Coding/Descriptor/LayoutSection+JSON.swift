package import JSON

extension LayoutSection: JSONObjectDecodable, JSONObjectEncodable {
    enum Key: String, CaseIterable { case group, list }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let choice = object.choice(of: Key.self)
        let content = Result { () throws(JSONReadError) in try Content(try choice()) }
        contentInsets = object.essential("contentInsets", default: .zero)
        contentInsetsReference = object.essential("contentInsetsReference", default: .automatic)
        supplementaryContentInsetsReference = object.essential("supplementaryContentInsetsReference", default: .automatic)
        interGroupSpacing = object.essential("interGroupSpacing", default: 0)
        orthogonalScrollingBehavior = object.value("orthogonalScrollingBehavior", default: .none, faulty: .continuous)
        orthogonalScrollingProperties = object.value("orthogonalScrollingProperties", default: .automatic)
        boundarySupplementaryItems = object.essential("boundarySupplementaryItems", default: [])
        decorationItems = object.lossyArray("decorationItems")
        effects = object.lossyArray("effects")
        self.content = try content.get()
    }

    package func encodeMembers(to json: inout JSONWriter) {
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
    /// Reads the repeated part of a section, which must be a group.
    init(repeated json: JSONReader) throws(JSONReadError) {
        try self.init(from: json)
        if case .cell = content {
            throw json.refuse(.invalidChoice, "expected a group, found an item", hint: "put the item into the subitems of a group")
        }
    }
}

extension ScrollingProperties: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        bounce = object.value("bounce", default: .automatic)
        decelerationRate = object.value("decelerationRate", default: .automatic)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("bounce", bounce, unless: .automatic)
        json.member("decelerationRate", decelerationRate, unless: .automatic)
    }
}
