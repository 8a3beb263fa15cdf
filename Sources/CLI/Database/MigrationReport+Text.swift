internal import Feeds
import Postgres
internal import Resolve
internal import Values

extension MigrationReport {
    /// The effects of each migration, indented below its name.
    var text: String {
        if migrations.isEmpty { return "No migrations are pending.\n" }
        return migrations.map { effects in
            "\(effects.id)  \(effects.took.rounded)\n" + effects.lines.map { "  \($0.printable())\n" }.joined()
        }.joined()
    }

    /// The findings as warnings with hints.
    var warnings: String {
        findings.map { "warning: \($0.message.printable()) [\($0.code.rawValue)]\nhint: \($0.hint.printable())\n" }.joined()
    }
}

extension MigrationEffects {
    fileprivate var lines: [String] {
        var lines = orders.map { $0.lines } ?? []
        if let images, !images.isEmpty {
            lines.append("images of items: \(images.map { "\($0.count) \($0.role)" }.joined(separator: ", "))")
        }
        if let platforms, !platforms.isEmpty {
            lines.append("platforms of items: \(platforms.map { "\($0.items) \($0.name)" }.joined(separator: ", "))")
            lines.append("minimum versions: \(platforms.map { "\($0.versions) \($0.name)" }.joined(separator: ", "))")
        }
        if let labels, !labels.isEmpty {
            lines.append("age ratings: \(labels.map { "\($0.items) \($0.scheme) \($0.label)" }.joined(separator: ", "))")
        }
        for registered in experiments ?? [] {
            let experiment = registered.experiment
            lines.append(
                "experiment '\(registered.key)', \(experiment.state.name): \(ExperimentText.arms(of: experiment)); default \(experiment.defaultArm)"
            )
        }
        if !rows.isEmpty { lines.append("rows: \(rows.map(\.text).joined(separator: ", "))") }
        return lines.isEmpty ? ["no rows"] : lines
    }
}

extension MigrationEffects.Orders {
    fileprivate var lines: [String] {
        let publications = count == 1 ? "1 publication becomes an order" : "\(count) publications become orders"
        let places = spans.map { "\($0.count) in \($0.storefront)" }.joined(separator: ", ")
        return ["\(publications) for all storefronts\(canceled > 0 ? ", \(canceled) canceled" : "")"]
            + (places.isEmpty ? [] : ["spans: \(places)"])
    }
}

extension MigrationEffects.ChangedRows {
    /// The table with its inserted, updated and deleted rows: `published +1 ~20 -3`.
    fileprivate var text: String {
        let counts = [("+", inserted), ("~", updated), ("-", deleted)].filter { $0.1 > 0 }.map { "\($0)\($1)" }
        return ([table] + counts).joined(separator: " ")
    }
}
