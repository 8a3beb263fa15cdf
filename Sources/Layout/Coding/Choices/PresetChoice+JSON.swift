internal import JSON

extension PresetChoice {
    /// Reads a preset's name.
    init(_ json: JSONReader, among presets: [Preset]) throws(JSONReadError) {
        let preset = presets[try json.place(among: presets.map(\.name))]
        self.init(preset, arguments: [:])
    }

    /// Reads a preset's name, and its parameters from beside it.
    init(_ json: JSONReader, among presets: [Preset], parametersIn object: inout JSONObjectReader) throws(JSONReadError) {
        let preset = presets[try json.place(among: presets.map(\.name))]
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
