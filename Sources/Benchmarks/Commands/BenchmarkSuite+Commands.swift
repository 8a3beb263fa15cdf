import Host

extension BenchmarkSuite {
    /// The time that a curator waits for a command on the sample catalog, as whole processes from start to end.
    static let commands = BenchmarkSuite(name: "commands") { session in
        let progress = session.progress
        progress.show("creating a database with the sample catalog")
        let site = try CommandSite()
        defer { site.end() }
        let others = [
            "dev", "serve", "worker", "db migrate", "db load", "item import", "token create", "profile set", "layout solve", "sync tail",
        ]
        let helped = Set(
            (asking + offline + others).map { "\($0.split(separator: " ").prefix { !$0.hasPrefix("-") }.joined(separator: " ")) --help" })
        return try [site.slowest("help", helped.sorted(), bar: 20, progress)]
            + completing.map { try site.row($0, bar: 20, progress) } + offline.map { try site.row($0, bar: 100, progress) }
            + asking.map { try site.row($0, bar: 100, progress) }
    }

    /// The completions that a shell requests while a user types. All but the first query the server.
    private static let completing = [
        "complete fish -- sec", "complete fish -- publish t", "complete fish -- section explain today ",
        "complete fish -- preview today --storefront ",
        "complete fish -- publish today --line ", "complete fish -- pin add today hero topapp:har", "complete fish -- feed ls --profile ",
    ]

    /// The commands that send no request to the server. They use files, the database, or neither.
    private static let offline = [
        "version", "man", "completion fish", "settings", "doctor", "profile ls", "layout ls", "layout show tree-carousel",
        "layout preview tree-carousel", "layout validate layout.json", "layout lint layout.json", "validate -f today.json --local",
        "sync keys",
        "db url", "db status", "db check", "item generate --count 3",
    ]

    /// The commands that read, dry-run, or make changes that can be repeated.
    private static let asking = [
        "status",
        "feed ls", "feed show today", "section ls today", "section explain today order-in", "pin ls today", "rule test today weekend",
        "rule explain today weekend", "rule explain today --rule {\"price\":\"free\"}", "rev ls today", "rev show today 1",
        "rev diff today 1 2", "schedule ls", "schedule ls today",
        "preview today", "preview today --storefront sa --locale ar --at +2h", "validate -f today.json", "export today", "export -o json",
        "diff -f today.json", "apply -f today.json --dry-run", "promote today --from here --to there --dry-run", "audit ls",
        "feed create spring --title en=Spring --dry-run",
        "section add today fresh --layout carousel --cell appRow --rule {\"price\":\"free\"} --dry-run",
        "section set today hero --size 4 --dry-run", "section set today hero --size 5", "section move today weekend --first --dry-run",
        "section rm today quiet-hour --dry-run", "pin add today hero trailhead --dry-run",
        "pin move today hero harbor-notes --slot 2 --dry-run",
        "pin rm today hero harbor-notes --dry-run", "rule set today weekend {\"price\":\"free\"} --dry-run", "feed archive games --dry-run",
        "schedule cancel today 6 --dry-run", "publish today --rev 2 --layer base --dry-run",
        "publish today --line night-market --from +1d --until +2d --dry-run",
        "publish today --rev 2 --layer base --compare us --dry-run",
        "rollback today --rev 2 --dry-run", "feed ls --profile here", "item ls", "item show topapp:harbor-notes", "item search harbor",
        "item set topapp:harbor-notes subtitle= --yes", "token ls",
    ]
}
