package import JSON

extension LayoutChoice: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let form = Result { () throws(JSONReadError) in try LayoutForm(&object) }
        variants = object.value("variants", default: [])
        alternates = object.value("alternates", default: Alternates()).list
        try object.finish()
        self.form = try form.get()
    }

    /// Reads the members `layout`, `variants` and `alternates` of an object. The layout is required unless there is a
    /// default.
    package init(_ object: inout JSONObjectReader, default standard: LayoutForm? = nil) throws(JSONReadError) {
        let isRequired = standard == nil || object.has("layout")
        let form = isRequired ? object.required("layout", as: LayoutForm.self) : nil
        variants = object.value("variants", default: [])
        alternates = object.value("alternates", default: Alternates()).list
        if let form { self.form = try form() } else { self.form = standard ?? .list(ListLayout()) }
    }

    package func encodeMembers(to json: inout JSONWriter, default standard: LayoutForm? = nil) {
        if form != standard { json.member("layout", form) }
        if !variants.isEmpty {
            json.member("variants", each: variants) { json, variant in
                json.object { json in
                    json.member("when", variant.condition)
                    json.member("layout", variant.form)
                    variant.cells?.encodeMembers(to: &json)
                }
            }
        }
        guard !alternates.isEmpty else { return }
        json.member("alternates") { json in
            for alternate in alternates {
                json.key(alternate.name.text)
                guard let form = alternate.form else {
                    json.string(Alternate.activeKeyword)
                    continue
                }
                json.object { json in
                    json.member("layout", form)
                    alternate.cells?.encodeMembers(to: &json)
                }
            }
        }
    }

    /// An object of layouts by name. One of them may be the section's own layout.
    private struct Alternates: JSONDecodable {
        var list: [Alternate] = []

        init() {}

        init(from json: JSONReader) throws(JSONReadError) {
            var failure: JSONReadError?
            for value in try json.values() {
                do throws(JSONReadError) {
                    let alternate = try Alternate(value)
                    if alternate.form == nil, list.contains(where: { $0.form == nil }) {
                        throw value.refuse(.invalidChoice, "only one alternate can be \"\(Alternate.activeKeyword)\"")
                    }
                    list.append(alternate)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            // The order of an object's members has no meaning.
            list.sort { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
        }
    }
}

extension LayoutChoice.Alternate {
    /// The string that stands for the section's own layout.
    fileprivate static let activeKeyword = "active"

    fileprivate init(_ json: JSONReader) throws(JSONReadError) {
        if json.kind == .string {
            _ = try json.choice(among: [Self.activeKeyword])
            self.init(name: Name(json.key), form: nil, cells: nil)
        } else {
            var object = try json.object()
            let form = object.required("layout", as: LayoutForm.self)
            let cells = CellStyles.read(&object, slots: form.value?.slots)
            try object.finish()
            self.init(name: Name(json.key), form: try form(), cells: cells)
        }
    }
}

extension LayoutChoice.Variant: JSONObjectDecodable {
    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let condition = object.required("when", as: Condition.self)
        let form = object.required("layout", as: LayoutForm.self)
        let cells = CellStyles.read(&object, slots: form.value?.slots)
        self.init(condition: try condition(), form: try form(), cells: cells)
    }
}

extension PresetChoice {
    init(_ json: JSONReader, among presets: [Preset]) throws(JSONReadError) {
        let preset = presets[try json.choice(among: presets.map(\.name))]
        self.init(preset, arguments: [:])
    }

    init(_ json: JSONReader, among presets: [Preset], parametersIn object: inout JSONObjectReader) throws(JSONReadError) {
        let preset = presets[try json.choice(among: presets.map(\.name))]
        var arguments: [String: Int] = [:]
        for parameter in preset.parameters {
            let number = object.value(parameter.name, default: parameter.standard, .in(parameter.range))
            if number != parameter.standard { arguments[parameter.name] = number }
        }
        self.init(preset, arguments: arguments)
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("preset", preset.name)
        for parameter in preset.parameters { json.member(parameter.name, arguments[parameter.name]) }
    }
}

/// The full layout with its variants and alternates. A curator's choice can be read from it.
extension Expansion: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        layout.encodeMembers(to: &json)
        if !variants.isEmpty {
            json.member("variants", each: variants) { json, variant in
                json.object { json in
                    json.member("when", variant.condition)
                    json.member("layout", variant.layout)
                    variant.cells?.encodeMembers(to: &json)
                }
            }
        }
        guard active != nil || !alternates.isEmpty else { return }
        json.member("alternates") { json in
            if let active { json.member(active.text, "active") }
            for alternate in alternates {
                json.member(alternate.name.text) { json in
                    json.member("layout", alternate.layout)
                    alternate.cells?.encodeMembers(to: &json)
                }
            }
        }
    }
}
