import Arguments

extension Site {
    enum Database {
        static let dryRun = Option(flag: "dry-run", "Show the plan without applying it.")
        static let rest = Argument(variadic: "ARGUMENT", .anyText, "The arguments of psql.")
        static let command = Command(
            "db", "Manage the database", groups: [settings],
            subcommands: [
                Command("migrate", "Apply the pending migrations", options: [dryRun]) { _ in .ok },
                Command("psql", "Open psql", arguments: [rest]) { _ in .ok },
                Command("new-epoch", "Start a new epoch", isHidden: true) { _ in .ok },
            ])
    }
}
