import Host
import JSON
import TestSupport
import Testing
import Values

@testable import CLI

@Suite("Commands in a terminal", .onOwnThread) struct CommandTerminalTests {
    @Test("Output fits the width of the terminal and is colored unless color is turned off")
    func fits() throws {
        try CuratedSite.with(scope: "admin") { site in
            let terminal = Terminal(site)
            for line in [
                "feed ls", "feed show today", "section ls today", "section explain today order-in", "pin ls today",
                "rule test today weekend", "rule explain today weekend", "rev ls today", "rev diff today 1 2", "schedule ls", "status",
                "audit ls",
                "token ls", "profile ls", "item ls", "item search harbor", "layout ls", "preview today", "doctor",
                "schedule cancel today 6 --dry-run", "settings", "section set today hero --size 4 --dry-run",
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
            let page = try terminal.run("api feeds").text
            #expect(page.hasPrefix("{\n  \"feeds\": [\n") && page.hasSuffix("}\n"))
            let command = "rev diff today 1 2"
            #expect(try terminal.run(command).text.contains("\u{1B}["))
            #expect(try !terminal.run(command, variables: "NO_COLOR=1 ").text.contains("\u{1B}"))
            #expect(try !terminal.run("\(command) | cat").text.contains("\u{1B}"))
            #expect(try terminal.run("\(command) | cat").text == Terminal.plain(try terminal.run(command, columns: 1_000).text))
        }
    }

    @Test("Commands ask for confirmation in a terminal, and end on Ctrl-C")
    func asks() throws {
        try CuratedSite.with { site in
            let terminal = Terminal(site)
            for (response, code, argument) in [("n\\n", 1, "Canceled."), ("\\n", 1, "Canceled."), ("\\003", 130, "[y/N]")] {
                let (text, status) = try terminal.run("feed archive games", response: response)
                #expect(status == .code(Int32(code)) && text.contains(argument), "\(response): \(status) \(text)")
                #expect(try site.output("feed", "ls", "-o", "name").contains("games"))
            }
            for (line, texts) in [
                ("item set topapp:harbor-notes title.en=Other", ["→ Other", "Save 'topapp:harbor-notes'? [y/N]"]),
                (
                    "item import --prune /dev/null",
                    ["Import '/dev/null', and withdraw the items that it does not have (at most 20%)? [y/N]"]
                ),
            ] {
                let (text, status) = try terminal.run(line, response: "n\\n")
                let reported = Terminal.plain(text)
                #expect(status == .code(1) && (texts + ["Canceled."]).allSatisfy { reported.contains($0) }, "\(line): \(reported)")
            }
            #expect(try !site.output("item", "show", "topapp:harbor-notes").contains("Other"))
            let command = try terminal.run(
                "publish today --line night-market --from +1d --compare us -o json >/dev/null", response: "n\\n")
            let reported = Terminal.plain(command.text)
            #expect(
                command.status == .code(1) && reported.contains("Page changes") && reported.contains("Canceled."),
                "\(reported)")
            let (text, status) = try terminal.run("feed archive games", response: "y\\n")
            #expect(status == .code(0) && text.contains("Archived feed 'games'."), "\(status) \(text)")
        }
    }

    @Test("A publication in one storefront continues after one in another, and not after a change of its own plan")
    func publishesTogether() throws {
        try CuratedSite.with { site in
            let terminal = Terminal(site)
            func publish(_ storefront: String, after other: String, in days: Int) throws -> (text: String, status: ProcessStatus) {
                // The page of a time in the future does not change while the command waits.
                let command = "publish today --rev 2 --from +\(days)d --until +\(days + 1)d"
                return try terminal.run(
                    "\(command) --storefronts \(storefront) --compare \(storefront)", response: "y\\n",
                    after: "\(command) --storefronts \(other) --compare \(other) --yes")
            }
            let (text, status) = try publish("sa", after: "us", in: 2)
            #expect(status == .code(0) && text.contains("Scheduled revision 2 of 'today' in sa"), "\(status) \(text)")
            let conflict = try publish("sa", after: "sa", in: 4)
            #expect(conflict.status == .code(4) && !conflict.text.contains("Scheduled"), "\(conflict)")
            let publications = try site.json("schedule", "ls", "today").elements.map { $0["storefronts"]?.elements.compactMap(\.string) }
            #expect(publications.count { $0 == ["us"] } == 1 && publications.count { $0 == ["sa"] } == 2, "\(publications)")
        }
    }

    @Test("A plan that another user changes while the prompt waits is shown again, and needs a new confirmation")
    func confirmsAgain() throws {
        try CuratedSite.with { site in
            let terminal = Terminal(site)
            /// Confirms a base of revision 2 while another user schedules a base that starts before it in the same storefront.
            func publish(after revision: Int, in days: Int, _ second: String) throws -> (text: String, status: ProcessStatus) {
                let command = "publish today --layer base --storefronts sa --compare sa"
                return try terminal.run(
                    "\(command) --rev 2 --from +\(days + 1)d", response: "y\\n",
                    after: "\(command) --rev \(revision) --from +\(days)d --yes", then: second)
            }
            let (canceled, status) = try publish(after: 2, in: 2, "n\\n")
            #expect(status == .code(1) && canceled.contains("Canceled.") && !canceled.contains("Scheduled"), "\(status) \(canceled)")
            let plans = canceled.split(separator: "Another user changed the schedule of 'today'.")
            try #require(plans.count == 2, "\(canceled)")
            let headings = plans.map { Terminal.plain(String($0)).replacing(#/\s+/#, with: " ") }
            #expect(headings[0].contains("revision 1 → revision 2") && !headings[0].contains("revision 2 → revision 2"), "\(canceled)")
            #expect(headings[1].contains("revision 2 → revision 2"), "\(canceled)")
            let publications = try site.json("schedule", "ls", "today").elements.map { $0["storefronts"]?.elements.compactMap(\.string) }
            #expect(publications.compactMap(\.self) == [["sa"]])

            let (confirmed, end) = try publish(after: 1, in: 6, "y\\n")
            #expect(end == .code(0) && confirmed.contains("Scheduled revision 2 of 'today' in sa"), "\(end) \(confirmed)")
        }
    }

    @Test("Commands end quietly if the reader closes the pipe")
    func closedPipes() throws {
        try CuratedSite.with { site in
            for line in ["item generate --count 20000", "audit ls -o jsonl", "layout ls -o json", "export today", "feed show today"] {
                let command = "cd \(site.dev.vitrine.folder); \(site.dev.vitrine.path) \(line) | head -1 >/dev/null; echo ${PIPESTATUS[0]}"
                let environment = site.dev.vitrine.environment.merging(site.variables) { $1 }
                let text = try ProcessLaunch("bash", ["-c", command], environment: environment).output(within: .seconds(60)).text
                // A shell reports an end by SIGPIPE as 141.
                #expect(["0\n", "141\n"].contains(text), "\(line): \(text)")
            }
        }
    }
}

/// A pseudo terminal, made with the `script` program of util-linux.
private struct Terminal {
    private let site: CuratedSite

    init(_ site: CuratedSite) { self.site = site }

    /// Types a response to the prompt, after another command that runs while the prompt waits, and then one to a second prompt.
    /// Without a response, only standard output counts.
    func run(
        _ line: String, columns: Int = 80, variables: String = "", response: String? = nil, after other: String? = nil,
        then second: String? = nil
    ) throws -> (text: String, status: ProcessStatus) {
        let vitrine = site.dev.vitrine
        let record = "\(vitrine.folder)/record-\(UInt32.random(in: .min ... .max))"
        let errors = response == nil ? " 2>\(record).errors" : ""
        let command = "stty cols \(columns) rows 50; \(variables)\(vitrine.path) \(line)\(errors)"
        func waits(forPrompts count: Int) -> String {
            "i=0; until [ $(grep -os y/N \(record) | wc -l) -ge \(count) ] || [ $((i+=1)) -gt 1000 ]; do sleep 0.02; done"
        }
        let run = other.map { "\(vitrine.path) \($0) >/dev/null 2>&1; " } ?? ""
        let next = second.map { "; \(waits(forPrompts: 2)); printf '\($0)'" } ?? ""
        let input = response.map { "(\(waits(forPrompts: 1)); \(run)printf '\($0)'\(next)) |" } ?? ""
        let script = "cd \(vitrine.folder); \(input) script -qefc '\(command)' \(record) \(response == nil ? "</dev/null" : "")"
        let environment = vitrine.environment.merging(site.variables) { $1 }.merging(["TERM": "xterm-256color"]) { $1 }
        let (text, status) = try ProcessLaunch("sh", ["-c", script], environment: environment.filter { $0.key != "NO_COLOR" })
            .output(within: .seconds(60))
        return (text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"), status)
    }

    static func plain(_ text: String) -> String { text.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
}
