internal import Arguments
internal import CatalogImport
internal import Feeds
internal import JSON

/// `vitrine rating-scheme`: the schemes of age ratings.
struct RatingSchemeCommands {
    let console: Console

    private static let scheme = Argument(
        "SCHEME", .text.completed(by: RemoteCompletions.ratingSchemes), "The key of the rating scheme, such as pegi.")

    var command: Command {
        let commands = VocabularyCommands(console: console, kind: .ratingScheme, argument: Self.scheme) { invocation in
            VocabularyName(.ratingScheme, try VocabularyKind.ratingScheme.checked(invocation[Self.scheme]))
        }
        return Command(
            "rating-scheme", "Manage the schemes of age ratings",
            discussion: """
                A scheme has labels for age ratings. Each storefront shows the labels of one scheme. Items have labels of any number of \
                schemes.
                """,
            examples: [
                Example("vitrine rating-scheme ls", "List the rating schemes with their labels."),
                Example("vitrine rating-scheme set cero cero.json", "Create or replace a rating scheme."),
            ],
            subcommands: [
                commands.list(
                    "List rating schemes by key",
                    examples: [
                        Example("vitrine rating-scheme ls", "List the rating schemes with their labels."),
                        Example("vitrine rating-scheme ls -o wide", "Include the minimum ages of the labels."),
                    ],
                    columns: RatingSchemeRow.columns, key: \.key
                ) { _ in { server in try await server.ratingSchemes() } },
                commands.show(example: "pegi", "Show a rating scheme."),
                commands.set(
                    """
                    The file has the record of the rating scheme. Only the labels are required. Each label needs a minimumAge from 0 to \
                    99, and no two labels can have the same minimumAge. A label that items have cannot be removed. Items without a label \
                    of the scheme get a label by the highest minimum age of their other labels. Clients see the change immediately.
                    """,
                    example: "cero cero.json",
                    Example(
                        #"echo '{"labels": [{"label": "18+", "minimumAge": 18}]}' | vitrine rating-scheme set cero - --yes"#,
                        "Create a rating scheme of one label."),
                    changes: Self.changes),
                commands.remove(
                    "Delete a rating scheme that nothing uses",
                    "A rating scheme cannot be deleted while a storefront or an item uses it. A dry run does not check this condition.",
                    examples: [
                        Example("vitrine rating-scheme rm cero --dry-run", "Show the rating scheme that would be deleted."),
                        Example("vitrine rating-scheme rm cero", "Delete a rating scheme after a confirmation."),
                    ]),
            ])
    }

    /// Returns the labels that enter or leave a scheme, or get another age.
    private static func changes(from before: JSONValue, to after: JSONValue) -> [DiffLine] {
        func ages(_ record: JSONValue) -> [(label: String, age: String)] {
            record["labels"]?.list.map { ($0["label"]?.text ?? "", $0["minimumAge"]?.text(.compact) ?? "") } ?? []
        }
        let (old, new) = (ages(before), ages(after))
        let removed = old.filter { label in !new.contains { $0.label == label.label } }
        return removed.map { DiffLine(.removed, 0, "label \($0.label): from the age \($0.age)") }
            + new.compactMap { label, age in
                guard let present = old.first(where: { $0.label == label }) else {
                    return DiffLine(.added, 0, "label \(label): from the age \(age)")
                }
                return present.age == age ? nil : DiffLine(.changed, 0, "label \(label): from the age \(present.age) → \(age)")
            }
    }
}

/// A row of the list of rating schemes.
struct RatingSchemeRow: JSONObjectDecodable, Sendable {
    struct Label: JSONObjectDecodable, Sendable {
        let label: String
        let minimumAge: Int

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            label = try object.value("label")
            minimumAge = try object.value("minimumAge")
        }
    }

    let key: String
    private let labels: [Label]

    var shownLabels: String { labels.map(\.label).joined(separator: " ") }

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        key = try object.value("key")
        labels = try object.value("labels")
    }

    static let columns: [ListPage<RemoteValue<RatingSchemeRow>>.Column] = [
        .init(title: "SCHEME") { $0.key }, .init(title: "LABELS") { $0.shownLabels },
        .init(title: "AGES", isWide: true) { $0.labels.map { "\($0.minimumAge)" }.joined(separator: " ") },
    ]
}

extension AdminClient {
    /// Returns all rating schemes, sorted by key.
    func ratingSchemes() async throws -> [RemoteValue<RatingSchemeRow>] {
        try await page("rating-schemes", "ratingSchemes", of: RatingSchemeRow.self).elements
    }
}
