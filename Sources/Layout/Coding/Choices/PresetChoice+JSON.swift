internal import JSON

extension PresetChoice {
    /// Reads a preset's name.
    init(_ json: JSONReader, among presets: [Preset]) throws(JSONRefusal) {
        let preset = presets[try json.place(among: presets.map(\.name))]
        self.init(preset, arguments: [:])
    }

    /// Reads a preset's name, and its parameters from beside it.
    init(_ json: JSONReader, among presets: [Preset], parametersIn object: inout JSONObjectReader) throws(JSONRefusal) {
        let preset = presets[try json.place(among: presets.map(\.name))]
        var arguments: [String: Int] = [:]
        for parameter in preset.parameters {
            if let number = object.optional(parameter.name, as: Int.self, .in(parameter.range)) { arguments[parameter.name] = number }
        }
        self.init(preset, arguments: arguments)
    }
}
