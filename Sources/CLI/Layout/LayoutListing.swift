internal import Arguments
import Host
internal import JSON
internal import Layout

/// `vitrine layout ls` and `show`: the presets and their layouts.
struct LayoutListing {
    let console: Console

    var all: [Command] { [list, show] }

    private var list: Command {
        Command(
            "ls", "List the presets",
            examples: [
                Example("vitrine layout ls", "List the presets with their families."),
                Example("vitrine layout ls -o json", "List the presets as JSON."),
            ],
            options: [ListFormat.option]
        ) { invocation in
            try ListPage(elements: Preset.all.map(PresetEntry.init), columns: Self.columns) { $0.preset.name }.print(
                as: invocation[ListFormat.option])
            return .ok
        }
    }

    private var show: Command {
        let name = Argument("NAME", .preset, "The name of the preset.")
        return Command(
            "show", "Print a preset as a full layout",
            discussion:
                "The other layout commands accept the printed layout. The output also contains the variants and alternates of the preset.",
            examples: [
                Example("vitrine layout show mosaic-carousel", "Print the layout of a preset."),
                Example("vitrine layout show photo-grid-3 | vitrine layout lint -", "Check a preset."),
            ],
            arguments: [name]
        ) { invocation in
            try console.explaining {
                guard let preset = Preset.named(invocation[name]) else { throw LayoutSource.unknownPreset(invocation[name]) }
                try console.printJSON(preset.expanded())
                return .ok
            }
        }
    }

    private static let columns: [ListPage<PresetEntry>.Column] = [
        .init(title: "NAME") { $0.preset.name }, .init(title: "FAMILY") { $0.preset.expanded().layout.family?.kind.rawValue ?? "" },
        .init(title: "ORIGIN") { $0.preset.origin }, .init(title: "DESCRIPTION") { $0.preset.abstract },
    ]
}

private struct PresetEntry: JSONObjectEncodable {
    let preset: Preset

    func encodeMembers(to json: inout JSONWriter) {
        json.member("name", preset.name)
        json.member("family", preset.expanded().layout.family?.kind.rawValue)
        json.member("origin", preset.origin)
        json.member("summary", preset.abstract)
        json.member("requires", preset.expanded().layout.needs.sorted())
        json.member("parameters", each: preset.parameters) { json, parameter in
            json.object { json in
                json.member("name", parameter.name)
                json.member("summary", parameter.abstract)
                json.member("minimum", parameter.range.lowerBound)
                json.member("maximum", parameter.range.upperBound)
                json.member("default", parameter.standard)
            }
        }
    }
}
