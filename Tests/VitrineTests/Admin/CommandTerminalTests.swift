import Host
import TestSupport
import Testing

@testable import CLI

@Suite("Commands in a terminal", .onOwnThread) struct CommandTerminalTests {
    @Test("write lines that fit it, in colour unless that is not wanted")
    func fits() throws {
        try CuratedShop.with(scope: "admin") { shop in
            let terminal = Terminal(shop)
            for line in [
                "feed ls", "feed show today", "section ls today", "section explain today order-in", "pin ls today",
                "rule test today weekend", "rule explain today weekend", "rev ls today", "rev diff today 1 2", "schedule ls", "audit ls",
                "token ls", "profile ls", "item ls", "item search harbor", "layout ls", "preview today", "doctor",
                "schedule cancel today 6 --dry-run", "settings", "section set today hero --limit 4 --dry-run",
                "pin rm today hero harbor-notes --dry-run", "item withdraw topapp:trailhead --dry-run",
            ] {
                for columns in [40, 80, 200] {
                    let (text, status) = try terminal.run(line, columns: columns)
                    #expect(status == .code(0) && !text.isEmpty, "\(line): \(text)")
                    for line in Terminal.plain(text).split(separator: "\n") where line.columns > columns {
                        Issue.record("\(line) is wider than \(columns)")
                    }
                }
            }
            let look = "rev diff today 1 2"
            #expect(try terminal.run(look).text.contains("\u{1B}["))
            #expect(try !terminal.run(look, variables: "NO_COLOR=1 ").text.contains("\u{1B}"))
            #expect(try !terminal.run("\(look) | cat").text.contains("\u{1B}"))
            #expect(try terminal.run("\(look) | cat").text == Terminal.plain(try terminal.run(look, columns: 1_000).text))
        }
    }

    @Test("ask where somebody can answer, and end as Ctrl-C wants")
    func asks() throws {
        try CuratedShop.with { shop in
            let terminal = Terminal(shop)
            for (answer, code, word) in [("n\\n", 1, "Nothing was changed"), ("\\n", 1, "Nothing was changed"), ("\\003", 130, "[y/N]")] {
                let (text, status) = try terminal.run("feed archive games", answer: answer)
                #expect(status == .code(Int32(code)) && text.contains(word), "\(answer): \(status) \(text)")
                #expect(try shop.output("feed", "ls", "-o", "name").contains("games"))
            }
            let look = try terminal.run("publish today --line night-market --from +1d --storefront us -o json >/dev/null", answer: "n\\n")
            let told = Terminal.plain(look.text)
            #expect(look.status == .code(1) && told.contains("What clients see") && told.contains("Nothing was changed"), "\(told)")
            let (text, status) = try terminal.run("feed archive games", answer: "y\\n")
            #expect(status == .code(0) && text.contains("Archived games"), "\(status) \(text)")
        }
    }

    @Test("take it that a reader has seen enough")
    func closedPipes() throws {
        try CuratedShop.with { shop in
            for line in ["item generate --count 20000", "audit ls -o jsonl", "layout ls -o json", "export today", "feed show today"] {
                let command = "cd \(shop.dev.vitrine.folder); \(shop.dev.vitrine.path) \(line) | head -1 >/dev/null; echo ${PIPESTATUS[0]}"
                let environment = shop.dev.vitrine.environment.merging(shop.variables) { $1 }
                let text = try ProcessLaunch("bash", ["-c", command], environment: environment).output(within: .seconds(60)).text
                // 141 is what a shell reports of an end by SIGPIPE.
                #expect(["0\n", "141\n"].contains(text), "\(line): \(text)")
            }
        }
    }
}

/// A pseudo terminal, by the `script` of util-linux.
private struct Terminal {
    private let shop: CuratedShop

    init(_ shop: CuratedShop) { self.shop = shop }

    /// Types an answer where it is asked; only what goes to standard output counts where nothing is answered.
    func run(_ line: String, columns: Int = 80, variables: String = "", answer: String? = nil) throws -> (
        text: String, status: ProcessStatus
    ) {
        let vitrine = shop.dev.vitrine
        let record = "\(vitrine.folder)/record-\(UInt32.random(in: .min ... .max))"
        let errors = answer == nil ? " 2>\(record).errors" : ""
        let command = "stty cols \(columns) rows 50; \(variables)\(vitrine.path) \(line)\(errors)"
        let waits = "i=0; until grep -qs y/N \(record) || [ $((i+=1)) -gt 1000 ]; do sleep 0.02; done"
        let input = answer.map { "(\(waits); printf '\($0)') |" } ?? ""
        let script = "cd \(vitrine.folder); \(input) script -qefc '\(command)' \(record) \(answer == nil ? "</dev/null" : "")"
        let environment = vitrine.environment.merging(shop.variables) { $1 }.merging(["TERM": "xterm-256color"]) { $1 }
        let (text, status) = try ProcessLaunch("sh", ["-c", script], environment: environment.filter { $0.key != "NO_COLOR" })
            .output(within: .seconds(60))
        return (text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"), status)
    }

    static func plain(_ text: String) -> String { text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
}
