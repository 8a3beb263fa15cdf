/// A preset with the parameters that a curator changed.
package struct PresetChoice: Sendable, Hashable {
    package let preset: Preset
    /// Those that differ from the standard.
    let arguments: [String: Int]

    package init(_ preset: Preset) {
        self.init(preset, arguments: [:])
    }

    init(_ preset: Preset, arguments: [String: Int]) {
        self.preset = preset
        self.arguments = arguments
    }

    package func expanded(at sectionIndex: Int) -> Expansion { preset.expanded(arguments, at: sectionIndex) }
}
