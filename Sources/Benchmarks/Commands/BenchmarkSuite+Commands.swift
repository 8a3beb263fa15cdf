import Host

extension BenchmarkSuite {
    /// How long a curator waits for a command on the sample catalog, as whole processes from start to end.
    static let commands = BenchmarkSuite(name: "commands") {
        let shop = try CommandShop()
        defer { shop.end() }
        return try alone.map { try shop.row($0, bar: 20) } + lines.map { try shop.row($0, bar: 100) }
    }

    /// What needs no server.
    private static let alone = ["--help", "publish --help", "complete fish -- sec", "layout ls"]

    /// What looks, what tries, and what changes and can be done again.
    private static let lines = [
        "feed ls", "feed show today", "section ls today", "section explain today order-in", "pin ls today", "rule test today weekend",
        "rule explain today weekend", "rev ls today", "rev show today 1", "rev diff today 1 2", "schedule ls", "preview today",
        "validate -f today.json", "export today", "diff -f today.json", "apply -f today.json --dry-run", "audit ls",
        "section set today hero --limit 4 --dry-run", "section move today weekend --first --dry-run",
        "pin add today hero trailhead --dry-run",
        "feed archive games --dry-run", "schedule cancel today 6 --dry-run", "publish today --rev 2 --layer base --dry-run",
        "publish today --rev 2 --layer base --storefront us --dry-run", "rollback today --to 2 --dry-run",
        "item ls", "item show topapp:harbor-notes", "item search harbor", "token ls",
    ]
}
