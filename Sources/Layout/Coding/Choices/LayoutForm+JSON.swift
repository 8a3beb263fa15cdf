package import JSON

extension LayoutForm: JSONDecodable {
    private enum Key: String, CaseIterable { case list, grid, nestedGroup, carousel, preset, compositional, group }

    package init(from json: JSONReader) throws(JSONRefusal) {
        var object = try json.object()
        let form = Result { () throws(JSONRefusal) in try LayoutForm(&object) }
        try object.finish()
        self = try form.get()
    }

    /// Reads the members of a form from an object that may have others besides.
    init(_ object: inout JSONObjectReader) throws(JSONRefusal) {
        let (key, value) = try object.choice(of: Key.self)()
        switch key {
        case .grid: self = .grid(try value.decode())
        case .carousel: self = .carousel(try value.decode())
        case .preset: self = .preset(try PresetChoice(value, among: Preset.all, parametersIn: &object))
        case .nestedGroup where value.kind == .string: self = .preset(try PresetChoice(value, among: Preset.nestedGroups))
        case .nestedGroup: self = .nestedGroup(try LayoutItem(repeated: value))
        case .compositional: self = .compositional(try value.decode())
        case .list, .group:
            // With no part of a full layout beside it, a list is the short form, which has a family.
            if key == .list, object.json.node.members.allSatisfy({ ["list", "variants", "alternates"].contains($0.key) }) {
                self = .list(try value.decode())
            } else {
                let descriptor = try LayoutDescriptor(&object)
                try descriptor.check(object)
                self = .full(descriptor)
            }
        }
    }
}

extension Preset {
    /// The ones that stand for a nested group.
    static var nestedGroups: [Preset] { all.filter { $0.expanded().layout.family?.kind == .nestedGroup } }
}
