import Host
import TestSupport
import Testing

/// `vitrine item import` over the API, as a curator runs it.
@Suite("An import over the API", .onOwnThread)
struct RemoteImportTests {
    private static func items(_ count: Int, from first: Int = 0) -> String {
        (first..<first + count).map { number in
            """
            {"kind":"topApp","source":"game-\(number)","title":"Game \(number)","categories":["games"],"bundleId":"org.example.game\(number)",\
            "developer":"Games","appVersion":"1.0","sizeBytes":1000,"platforms":["ios"],"ageRating":"4+","releaseDate":"2024-05-01"}

            """
        }.joined()
    }

    @Test("An import over the API reports the same counts and rejects as one in the database, and updates the index")
    func lifecycle() throws {
        try CuratedSite.with { site in
            let vitrine = site.dev.vitrine
            let file = try vitrine.write(Self.items(300) + "{\"kind\":\"topApp\"}\nnonsense\n", to: "catalog.jsonl")
            let planned = try site.run("item", "import", "--dry-run", file)
            #expect(
                planned.output == "Would import: 300 added, 0 updated, 0 unchanged, 2 rejected\n" && planned.status == .code(5),
                "\(planned)")
            let rejects = "\(vitrine.folder)/rejects.jsonl"
            let first = try site.run("item", "import", "--rejects", rejects, file)
            #expect(first.output == "Imported: 300 added, 0 updated, 0 unchanged, 2 rejected\n" && first.status == .code(5), "\(first)")
            #expect(first.errors == "2 rejects in \(rejects)\n")
            let listed = """
                SELECT count(DISTINCT item_id) FROM vitrine.listings JOIN vitrine.items ON id = item_id WHERE source LIKE 'game-%'
                """
            #expect(try site.dev.send("vitrine", listed) == "300\n")
            // Both ways of importing the file have the same rejects.
            let beside = "\(vitrine.folder)/beside.jsonl"
            let second = try vitrine.run(["db", "load", "--rejects", beside, file])
            #expect(second.output == "Imported: 0 added, 0 updated, 300 unchanged, 2 rejected\n" && second.status == .code(5), "\(second)")
            #expect(try vitrine.text(rejects) == vitrine.text(beside) && !vitrine.text(beside).isEmpty)
            let visible = try site.run("item", "import", "-o", "json", file)
            #expect(visible.output.contains("\"unchanged\": 300") && visible.errors.contains("line 302"), "\(visible)")
            let refused = try site.run("item", "import", "--max-rejects", "1", file)
            #expect(
                refused.status == .code(5) && refused.errors.contains("error: more records were rejected than --max-rejects allows (1)"),
                "\(refused)")
            let piped = try ProcessLaunch(
                "sh", ["-c", "cat \(file) | \(vitrine.path) item import -"], environment: vitrine.environment.merging(site.variables) { $1 }
            ).output(within: .seconds(60))
            #expect(piped.text.contains("0 added, 0 updated, 300 unchanged, 2 rejected\n") && piped.status == .code(5), "\(piped.text)")
            let audit = try site.output("audit", "ls", "-o", "jsonl")
            #expect(audit.contains("\"name\":\"tester\"") && audit.contains("\"failureCode\":\"tooManyRejects\""), "\(audit)")
            let wrong: [([String], Int32)] = [
                (["nowhere.jsonl"], 3), ([], 64), (["--rejects", file, file], 64), (["--token-file", "-", "-"], 64),
                (["--chunk-size", "10001", file], 64),
            ]
            for (arguments, code) in wrong {
                let result = try site.run(arguments: ["item", "import"] + arguments)
                #expect(result.status == .code(code) && result.output.isEmpty, "\(arguments): \(result)")
            }
        }
    }

    @Test("An import reads CSV, and withdraws items that a whole file does not have")
    func columns() throws {
        try CuratedSite.with { site in
            let vitrine = site.dev.vitrine
            let csv = try vitrine.write("kind,key,title.en\ncategory,board,Board\n", to: "words.csv")
            #expect(try site.run("item", "import", csv).output == "Imported: 1 added, 0 updated, 0 unchanged, 0 rejected\n")
            let few = try vitrine.write(Self.items(1), to: "few.jsonl")
            let script = "cd \(vitrine.folder); \(vitrine.path) item import --prune --max-withdrawn-percent 100 - <few.jsonl 2>&1"
            let environment = vitrine.environment.merging(site.variables) { $1 }
            let (text, status) = try ProcessLaunch("sh", ["-c", script], environment: environment).output(within: .seconds(60))
            #expect(status == .code(64) && text.contains("Import standard input, and withdraw"), "\(text)")
            let pruned = try site.run("item", "import", "--prune", "--yes", few)
            #expect(pruned.status == .code(4) && pruned.errors.contains("the file does not have 120 of the 121 items"), "\(pruned)")
            let all = try site.run("item", "import", "--prune", "--max-withdrawn-percent", "100", "--yes", few)
            #expect(all.output == "Imported: 0 added, 0 updated, 1 unchanged, 0 rejected, 120 withdrawn\n", "\(all)")
        }
    }

    @Test("An interrupted import ends on the server and reports what stays, and until then another import is refused")
    func interrupted() throws {
        try CuratedSite.with { site in
            let vitrine = site.dev.vitrine
            let pipe = "\(vitrine.folder)/pipe"
            #expect(try ProcessLaunch("mkfifo", [pipe]).output().status.isSuccess)
            let output = "\(vitrine.folder)/endless"
            var child = try vitrine.start(
                ["item", "import", "--format", "jsonl", "--chunk-size", "10", pipe], site.variables, output: output)
            let writing = try Descriptor(opening: pipe, .readAndWrite)
            try writing.write(Array(Self.items(45).utf8), subject: pipe)
            let count = "SELECT count(*) FROM vitrine.items WHERE source LIKE 'game-%'"
            try vitrine.wait { try site.dev.send("vitrine", count) == "40\n" }
            let file = try vitrine.write(Self.items(1), to: "one.jsonl")
            let other = try site.run("item", "import", file)
            #expect(other.status == .code(4) && other.errors.contains("is running another import"), "\(other)")
            try RunningProcess.send(.interrupt, to: child.id)
            #expect(try vitrine.end(of: &child) == .code(130))
            let errors = try vitrine.text("\(output).errors")
            #expect(errors.contains("Changes before the error are kept: 40 added, 0 updated, 0 unchanged, 0 rejected."), "\(errors)")
            #expect(try site.dev.send("vitrine", count) == "40\n")
            #expect(try site.run("item", "import", file).status == .code(0))
        }
    }

    @Test("A server that shuts down ends an import and records it in the audit log")
    func stopped() throws {
        let vitrine = try Vitrine()
        try RunningDev.with(vitrine) { dev in
            let variables = dev.variables(for: "vitrine")
            var server = try RunningServe(vitrine, ["--timeouts-shutdown", "500ms"], variables: variables)
            let made = try vitrine.run(["token", "create", "--name", "tester", "--scope", "publish"], variables: variables)
            let asking = ["VITRINE_SERVER": "http://127.0.0.1:\(server.port)", "VITRINE_TOKEN": String(made.output.dropLast())]
            let pipe = "\(vitrine.folder)/pipe"
            #expect(try ProcessLaunch("mkfifo", [pipe]).output().status.isSuccess)
            let output = "\(vitrine.folder)/endless"
            var child = try vitrine.start(["item", "import", "--format", "jsonl", "--chunk-size", "10", pipe], asking, output: output)
            let writing = try Descriptor(opening: pipe, .readAndWrite)
            try writing.write(Array(Self.items(45).utf8), subject: pipe)
            try vitrine.wait { try dev.send("vitrine", "SELECT count(*) FROM vitrine.items WHERE source LIKE 'game-%'") == "40\n" }
            // On a busy machine, the server may have closed connections early, but not that of the import.
            try RunningProcess.send(.terminate, to: server.child.id)
            #expect(try vitrine.end(of: &server.child) == .code(0))
            let audit = "SELECT after ->> 'failureCode', after #>> '{counts,added}' FROM vitrine.audit_entries WHERE action = 'item.import'"
            #expect(try dev.send("vitrine", audit) == "truncatedUpload|40\n")
            try RunningProcess.send(.interrupt, to: child.id)
            _ = try vitrine.end(of: &child)
        }
    }
}
