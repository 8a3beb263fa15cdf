package import JSON

extension LayoutForm: JSONDecodable {
    private enum Key: String, CaseIterable { case list, grid, nestedGroup, carousel, preset, compositional, group }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let form = Result { () throws(JSONReadError) in try LayoutForm(&object) }
        try object.finish()
        self = try form.get()
    }

    /// Reads the members of a form from an object that may have others besides.
    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let (key, value) = try object.choice(of: Key.self)()
        switch key {
        case .grid: self = .grid(try value.decode())
        case .carousel: self = .carousel(try value.decode())
        case .preset: self = .preset(try PresetChoice(value, among: Preset.all, parametersIn: &object))
        case .nestedGroup where value.kind == .string: self = .preset(try PresetChoice(value, among: Preset.nestedGroups))
        case .nestedGroup: self = .nestedGroup(try LayoutItem(repeated: value))
        case .compositional: self = .compositional(try value.decode())
        case .list, .group:
            let descriptor = try LayoutDescriptor(&object)
            try descriptor.check(object)
            self = LayoutForm(descriptor)
        }
    }

    /// With nothing beside it that matters, a list is the short form, which has a family.
    private init(_ descriptor: LayoutDescriptor) {
        if case .list(let list) = descriptor.section.content, descriptor == LayoutDescriptor(LayoutSection(.list(list))) {
            self = .list(list)
        } else {
            self = .full(descriptor)
        }
    }
}

/// As short as it was chosen; equal forms have equal texts.
extension LayoutForm: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .list(let list): json.member(Key.list.rawValue, list)
            case .grid(let grid): json.member(Key.grid.rawValue, grid)
            case .nestedGroup(let tree): json.member(Key.nestedGroup.rawValue, tree)
            case .carousel(let carousel): json.member(Key.carousel.rawValue, carousel)
            case .preset(let choice): choice.encodeMembers(to: &json)
            case .compositional(let descriptor): json.member(Key.compositional.rawValue, descriptor)
            case .full(let descriptor): descriptor.encodeMembers(to: &json)
            }
        }
    }
}

extension Preset {
    /// The ones that stand for a nested group.
    static var nestedGroups: [Preset] { all.filter { $0.expanded().layout.family?.kind == .nestedGroup } }
}
