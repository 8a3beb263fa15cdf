@testable import Arguments
@testable import CLI

/// The whole command tree, with arguments for each command that work on the sample catalog.
struct CommandContract {
    /// A command without subcommands.
    struct Leaf: Sendable, CustomStringConvertible {
        let names: [String]
        let command: Command

        var description: String { names.joined(separator: " ") }

        func has(_ option: String) -> Bool { self.option(option) != nil }

        /// The names of the command's output formats, or none if there is no choice.
        var formats: [String] { option("output")?.choices ?? [] }

        private func option(_ name: String) -> OptionDeclaration? {
            (command.options + command.groups.flatMap(\.options)).first { $0.name == name }
        }
    }

    static let tree = VitrineCommand.tree(version: "0", console: Console(program: "vitrine", environment: [:]))

    static let leaves = leaves(below: tree, [])

    /// The names of all commands, including those with subcommands.
    static let names = names(of: tree, [])

    private static func names(of command: Command, _ path: [String]) -> [String] {
        [path.joined(separator: " ")] + command.subcommands.filter { !$0.isHidden }.flatMap { names(of: $0, path + [$0.name]) }
    }

    private static func leaves(below command: Command, _ names: [String]) -> [Leaf] {
        guard !command.subcommands.isEmpty else { return [Leaf(names: names, command: command)] }
        return command.subcommands.filter { !$0.isHidden }.flatMap { leaves(below: $0, names + [$0.name]) }
    }

    /// The arguments after each command name. ``CommandContractTests`` creates the files that they name.
    static let words = asking.merging(standing) { $1 }

    /// The commands that send requests to the admin API.
    static let asking = [
        "feed ls": "", "feed show": "today", "feed create": "spring --title en=Spring", "feed edit": "today", "feed archive": "games",
        "section ls": "today", "section add": "today fresh --layout carousel --cell appRow --rule {\"price\":\"free\"}",
        "section set": "today hero --size 4", "section move": "today weekend --first", "section rm": "today quiet-hour",
        "section explain": "today order-in --rev 1 --at 2026-06-01T09:00:00Z", "pin ls": "today", "pin add": "today hero dune-sky",
        "pin move": "today hero harbor-notes --slot 2", "pin rm": "today hero harbor-notes",
        "rule set": "today weekend {\"price\":\"free\"}", "rule test": "today weekend --storefront us --at 2026-06-01T09:00:00Z",
        "rule explain": "today weekend", "rev ls": "today",
        "rev show": "today 1", "rev diff": "today 1 2", "publish": "today --line night-market --from +1d --until +2d --compare us",
        "schedule ls": "today", "schedule cancel": "today 6", "rollback": "today --rev 2 --compare us",
        "preview": "today --rev 1 --at 2026-06-01T09:00:00Z",
        "validate": "-f feed.json", "export": "today", "diff": "-f feed.json", "apply": "-f feed.json", "audit ls": "",
        "promote": "--from here --to there games --draft --publish", "item import": "item.jsonl", "item ls": "",
        "item show": "topapp:harbor-notes",
        "item search": "harbor",
        "item set": "topapp:harbor-notes subtitle=", "item withdraw": "topapp:trailhead", "item restore": "topapp:trailhead",
        "storefront ls": "", "storefront show": "us", "storefront set": "us storefront.json", "storefront close": "us",
        "storefront open": "us",
        "storefront rm": "us", "category ls": "", "category show": "games", "category set": "games category.json", "category rm": "games",
        "chart ls": "", "chart show": "top-free --storefront us", "chart set": "top-free --storefront us chart.json",
        "chart rm": "top-free --storefront us", "platform ls": "", "platform show": "ipados", "platform set": "linux platform.json",
        "platform rm": "linux", "rating-scheme ls": "", "rating-scheme show": "pegi", "rating-scheme set": "usk scheme.json",
        "rating-scheme rm": "usk",
        "experiment ls": "", "experiment show": "weekend",
        "experiment set": "weekend --arm pairs=0-39 --arm control=40-99", "experiment conclude": "weekend --winner pairs",
        "experiment holdout": "--share 5",
        "token create": "--name other --scope read", "token ls": "", "token revoke": "tester",
        "status": "",
        "api": "/admin/v1/feeds",
    ]

    /// The arguments of commands that ask for confirmation only with these, after ``CommandContractTests`` prepared them.
    static let prompting = [
        "storefront open": "gb", "item restore": "topapp:ninefold", "item import": "item.jsonl --prune --max-withdrawn-percent 100",
    ]

    /// The commands that read a database or a file, or nothing.
    static let standing = [
        "db migrate": "", "db status": "", "db check": "", "db url": "", "db load": "item.jsonl",
        "item generate": "--count 3", "layout ls": "", "layout show": "tree-carousel",
        "layout validate": "layout.json", "layout lint": "layout.json", "layout preview": "tree-carousel", "sync keys": "",
        "sync check": "", "profile ls": "", "settings": "", "doctor": "",
    ]

    /// The commands that run until they are stopped, open a prompt, or need the setup of another suite.
    static let elsewhere: Set = [
        "dev", "serve", "worker", "db psql", "feed restore", "db new-epoch", "db sample", "layout solve", "sync tail", "profile set",
        "profile use", "experiment start", "impression show",
        "profile rm",
    ]

    /// The commands that every program has.
    static let standard: Set = ["completion", "man", "help", "version"]

    /// The arguments that are keys of server data or local names.
    static let keys: Set = ["FEED", "SECTION", "REV", "A", "B", "STOREFRONT", "CATEGORY", "CHART", "PLATFORM", "SCHEME"]

    /// The options that take such a key.
    static let keyed: Set = [
        "line", "rev", "storefront", "storefronts", "locale", "feed", "feeds", "profile", "pin", "exclude", "layout", "from", "to", "unset",
        "sort",
    ]

    /// The commands that can run only once, and those whose output is counts instead of a list.
    static let unlisted: Set = ["item import", "db load", "token create", "token revoke"]
}
