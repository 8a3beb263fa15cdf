import Arguments

extension Site {
    enum Database {
        static let dryRun = Option(flag: "dry-run", "Shows the plan and changes nothing.")
        static let rest = Argument(variadic: "ARGUMENT", .anyText, "Handed to psql.")
        static let command = Command(
            "db", "Looks after the database.", groups: [settings],
            subcommands: [
                Command("migrate", "Applies the migrations that are missing.", options: [dryRun]) { _ in .ok },
                Command("psql", "Opens psql.", operands: [rest]) { _ in .ok },
                Command("new-epoch", "Starts a new epoch.", isHidden: true) { _ in .ok },
            ])
    }
}
