package import JSON

extension LayoutForm: JSONObjectDecodable {
    private enum Key: String, CaseIterable { case list, grid, nestedGroup, carousel, preset, compositional, group }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
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

    /// Converts a list without other properties to the short form, which has a family.
    private init(_ descriptor: LayoutDescriptor) {
        if case .list(let list) = descriptor.section.content, descriptor == LayoutDescriptor(LayoutSection(.list(list))) {
            self = .list(list)
        } else {
            self = .full(descriptor)
        }
    }
}

/// Writes the form as short as it was chosen. Equal forms have equal texts.
extension LayoutForm: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
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

extension Preset {
    static var nestedGroups: [Preset] { all.filter { $0.expanded().layout.family?.kind == .nestedGroup } }
}

extension GridForm: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let standard = GridForm.standard
        let tracks = JSONRule.in(1...Family.maxTracks)
        columns = object.value("columns", default: standard.columns, tracks)
        regularColumns = object.optional("regularColumns", as: Int.self, tracks)
        aspect = object.value("aspect", default: standard.aspect, .aspect)
        spacing = object.value("spacing", default: standard.spacing, .spacing)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        let standard = GridForm.standard
        json.member("columns", columns, unless: standard.columns)
        json.member("regularColumns", regularColumns)
        json.member("aspect", aspect, unless: standard.aspect)
        json.member("spacing", spacing, unless: standard.spacing)
    }
}

extension JSONRule<Ratio> {
    fileprivate static var aspect: JSONRule {
        .satisfying(.outOfRange, "expected a width and a height from 1 to 10000") { ratio in
            (1...10_000).contains(ratio.numerator) && (1...10_000).contains(ratio.denominator)
        }
    }
}

extension JSONRule<Magnitude> {
    /// The rule for spacing, half of which becomes the inset of each cell.
    fileprivate static var spacing: JSONRule {
        .satisfying(.insetRange, "expected 0 or at least 2, because half of the spacing is an inset") { Inset($0.value / 2) != nil }
    }
}

extension CarouselForm: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let standard = CarouselForm.standard
        rows = object.value("rows", default: standard.rows, .in(1...Family.maxTracks))
        width = object.value("width", default: standard.width, .positive)
        height = object.value("height", default: standard.height, .rowHeight)
        paging = object.value("paging", default: standard.paging, .scrolling)
        spacing = object.value("spacing", default: standard.spacing)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        let standard = CarouselForm.standard
        json.member("rows", rows, unless: standard.rows)
        json.member("width", width, unless: standard.width)
        json.member("height", height, unless: standard.height)
        json.member("paging", paging, unless: standard.paging)
        json.member("spacing", spacing, unless: standard.spacing)
    }
}

extension JSONRule<Fraction> {
    fileprivate static var positive: JSONRule { .satisfying(.outOfRange, "expected more than 0") { $0.value > 0 } }
}

extension JSONRule<Magnitude> {
    fileprivate static var rowHeight: JSONRule {
        .satisfying(.outOfRange, "expected 1 to 10000") { (1...10_000).contains($0.value) }
    }
}

extension JSONRule<ScrollingBehavior> {
    fileprivate static var scrolling: JSONRule {
        .satisfying(.invalidChoice, "a carousel must scroll: use a grid or a list instead") { $0 != .none }
    }
}
