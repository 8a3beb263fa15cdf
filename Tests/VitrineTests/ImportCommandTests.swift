import Host
import TestSupport
import Testing

/// `vitrine db load` in normal use and under failures.
@Suite(.serialized, .onOwnThread) struct ImportCommandTests {
    let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private static let vocabulary = """
        {"kind":"storefront","key":"us","currency":"USD","timeZone":"America/New_York","locales":["en"],"defaultLocale":"en"}
        {"kind":"category","key":"games","title":"Games"}

        """

    private static func items(_ count: Int) -> String {
        (0..<count).map { number in
            """
            {"kind":"topApp","source":"game-\(number)","title":"Game \(number)","categories":["games"],"bundleId":"org.example.game\(number)",\
            "developer":"Games","appVersion":"1.0","sizeBytes":1000,"platforms":["ios"],"ageRating":"4+","releaseDate":"2024-05-01",\
            "prices":{"us":{"amountMinor":\(number),"currency":"USD"}}}

            """
        }.joined()
    }

    /// The data in a database that an import determines, directly or indirectly.
    private static let state: String = {
        let tables = [
            "storefronts", "storefront_locales", "categories", "category_texts", "top_apps", "food_apps", "item_texts", "item_categories",
            "item_availability", "item_prices", "charts", "chart_entries", "listings", "listed_titles", "search_documents", "search_words",
        ]
        let parts = tables.map { "UNION ALL SELECT '\($0) ' || to_jsonb(\($0))::text FROM vitrine.\($0)" }
        return """
            SELECT md5(string_agg(line, E'\\n' ORDER BY line)) || ' ' || count(*) FROM (
                SELECT (to_jsonb(items) - 'created_at' - 'updated_at')::text AS line FROM vitrine.items
                UNION ALL SELECT to_jsonb(listing_counts)::text FROM vitrine.listing_counts WHERE items <> 0 OR timed <> 0
                UNION ALL SELECT DISTINCT kind || unnest(coalesce(ids::text[], keys)) FROM vitrine.sync_outbox
                \(parts.joined(separator: "\n"))
            ) AS lines
            """
    }()

    private static let others = """
        {"kind":"foodApp","source":"kitchen","title":{"en":"Kitchen","ar":"مطبخ"},"categories":["games"],"brand":"Kitchen","cuisines":["greek"],\
        "deliveryMinutes":{"from":20,"to":35},"priceBand":2,"availability":{"us":[{"from":"2026-01-01T00:00:00Z"}]},"releaseDate":"2024-01-01"}
        {"kind":"chart","storefront":"us","name":"top","items":["topapp:game-3","foodapp:kitchen","topapp:game-1"]}

        """

    private func migrated(_ dev: RunningDev, _ name: String) throws -> [String: String] {
        let variables = try dev.create(name)
        #expect(try vitrine.run(["db", "migrate"], variables: variables).status == .code(0))
        return variables
    }

    @Test("A load reports counts, changes nothing when it is repeated, and writes its rejects to a file with an exit code")
    func lifecycle() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try migrated(dev, "imported")
            let file = try vitrine.write(Self.vocabulary + Self.items(25) + "{\"kind\":\"topApp\"}\nnonsense\n", to: "catalog.jsonl")
            let planned = try vitrine.run(["db", "load", "--dry-run", file], variables: variables)
            #expect(planned.output == "Would import: 27 added, 0 updated, 0 unchanged, 2 rejected\n" && planned.status == .code(5))
            let rejects = "\(vitrine.folder)/rejects.jsonl"
            let first = try vitrine.run(["db", "load", "--rejects", rejects, file], variables: variables)
            #expect(
                first.output == "Imported: 27 added, 0 updated, 0 unchanged, 2 rejected\n" && first.status == .code(5), "\(first.errors)")
            let lines = try vitrine.text(rejects).split(separator: "\n")
            #expect(lines.last?.hasPrefix("{\"line\":29,\"pointer\":\"\",\"code\":\"UNEXPECTED_CHARACTER\"") == true, "\(lines)")
            #expect(lines.first?.hasPrefix("{\"line\":28,") == true)
            let again = try vitrine.run(["db", "load", "-o", "json", file], variables: variables)
            #expect(again.output.contains("\"unchanged\": 27") && again.errors.contains("line 29"))
            let piped = try ProcessLaunch(
                "sh", ["-c", "cat \(file) | \(vitrine.path) db load -"], environment: vitrine.environment.merging(variables) { $1 }
            ).output(within: .seconds(60))
            #expect(piped.text.contains("0 added, 0 updated, 27 unchanged, 2 rejected\n") && piped.status == .code(5), "\(piped.text)")
            let refused = try vitrine.run(["db", "load", "--max-rejects", "1", file], variables: variables)
            #expect(
                refused.status == .code(5) && refused.errors.contains("error: more records were rejected than --max-rejects allows (1)"))
            let text = try vitrine.text(file)
            #expect(try vitrine.run(["db", "load", "--rejects", file, file], variables: variables).status == .code(64))
            #expect(try vitrine.run(["db", "load", "--rejects", "-", file], variables: variables).status == .code(64))
            try Files.makeLink(at: "\(vitrine.folder)/link", to: file)
            #expect(
                try vitrine.run(["db", "load", "--rejects", "\(vitrine.folder)/link", file], variables: variables).status == .code(64))
            #expect(try vitrine.text(file) == text)
            // Rejects are written to a device without replacing it.
            #expect(try vitrine.run(["db", "load", "--rejects", "/dev/null", file], variables: variables).status == .code(5))
            #expect(FileStatus(following: "/dev/null")?.mode == 0o666)
            #expect(try vitrine.run(["db", "load", "nowhere.jsonl"], variables: variables).status == .code(3))
            #expect(try vitrine.run(["db", "load"], variables: variables).status == .code(64))
        }
    }

    @Test("A file of more than 1 MiB is loaded, then unchanged, and changed only where it or an item was edited")
    func longFile() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try migrated(dev, "long")
            let text = Self.vocabulary + Self.items(4_000)
            #expect(text.utf8.count > 1_100_000)
            let file = try vitrine.write(text, to: "long.jsonl")
            func load() throws -> String { try vitrine.run(["db", "load", file], variables: variables).output }
            #expect(try load() == "Imported: 4002 added, 0 updated, 0 unchanged, 0 rejected\n")
            #expect(try load() == "Imported: 0 added, 0 updated, 4002 unchanged, 0 rejected\n")
            let edited = "(SELECT id FROM vitrine.items WHERE source = 'game-3000')"
            _ = try dev.send("long", "UPDATE vitrine.item_texts SET title = 'Edited' WHERE item_id = \(edited)")
            #expect(try load() == "Imported: 0 added, 1 updated, 4001 unchanged, 0 rejected\n")
            #expect(try dev.send("long", "SELECT count(*) FROM vitrine.item_texts WHERE title = 'Edited'") == "0\n")
            // The last record is cut off.
            _ = try vitrine.write(String(text.dropLast(20)), to: "long.jsonl")
            #expect(try load() == "Imported: 0 added, 0 updated, 4001 unchanged, 1 rejected\n")
        }
    }

    @Test("If apt-cache fails, no item is withdrawn, and its error output is no record")
    func apt() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try migrated(dev, "packages")
            func packages(_ names: String..., ending: String) throws -> Vitrine.Result {
                let lines = names.map { "printf 'Package: \($0)\\nVersion: 1\\n\\n'\n" }
                let program = try vitrine.write(
                    "#!/bin/sh\necho careful >&2\n\(lines.joined())\(ending)\n", to: "\(names.count)\(ending)/apt-cache")
                #expect(try ProcessLaunch("chmod", ["+x", program]).output().status.isSuccess)
                let path = "\(Path.parent(of: program)):\(SystemInfo.environment["PATH"] ?? "")"
                return try vitrine.run(
                    ["db", "load", "--format", "apt", "--prune", "--yes", "--max-withdrawn-percent", "100"],
                    variables: variables.merging(["PATH": path]) { $1 })
            }
            let whole = try packages("one", "two", "three", ending: "exit 0")
            #expect(
                whole.output == "Imported: 4 added, 0 updated, 0 unchanged, 0 rejected\n" && whole.status == .code(0), "\(whole.errors)")
            #expect(whole.errors == "careful\n")
            for ending in ["exit 100", "kill -9 $$"] {
                let cut = try packages("one", ending: ending)
                #expect(cut.status == .code(1) && cut.errors.contains("apt-cache ended with "), "\(cut.errors)")
                #expect(try dev.send("packages", "SELECT count(*) FROM vitrine.items WHERE deleted_at IS NULL") == "3\n")
            }
            #expect(try packages("one", ending: "exit 0").output == "Imported: 0 added, 0 updated, 1 unchanged, 0 rejected, 2 withdrawn\n")
        }
    }

    @Test("Items that the file does not have are withdrawn only up to a limit, and the next load restores them")
    func pruning() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try migrated(dev, "pruned")
            let file = try vitrine.write(Self.vocabulary + Self.items(3), to: "catalog.jsonl")
            #expect(try vitrine.run(["db", "load", file, "-o", "csv"], variables: variables).output.hasSuffix("5,0,0,0,0\r\n"))
            let saved = try vitrine.write(Self.items(1), to: "saved.jsonl")
            let asked = try vitrine.run(["db", "load", "--prune", saved, "--rejects", saved], variables: variables)
            #expect(
                asked.status == .code(64) && asked.errors.contains("does not have (at most 20%)?\nhint: confirm with '--yes'\n"),
                "\(asked)")
            #expect(try vitrine.text(saved) == Self.items(1))
            let trial = ["db", "load", "--prune", "--dry-run", "--max-withdrawn-percent", "100", saved]
            let dry = try vitrine.run(trial, variables: variables)
            #expect(dry.status == .code(0) && dry.output.hasSuffix(", 2 withdrawn\n"), "\(dry)")
            let pruned = try vitrine.run(["db", "load", "--prune", "--yes", saved], variables: variables)
            #expect(pruned.status == .code(4) && pruned.errors.contains("the file does not have 2 of the 3 items"), "\(pruned.errors)")
            let arguments = ["db", "load", "--prune", "-y", "--max-withdrawn-percent", "100", saved]
            #expect(try vitrine.run(arguments, variables: variables).output.hasSuffix(", 2 withdrawn\n"))
            let again = try vitrine.run(["db", "load", file], variables: variables)
            #expect(again.output == "Imported: 0 added, 2 updated, 3 unchanged, 0 rejected\n", "\(again)")
        }
    }

    @Test("A server updates the index for a load that does not wait for it")
    func leftListing() throws {
        try RunningDev.with(vitrine) { dev in
            let file = try vitrine.write(Self.vocabulary + Self.items(300), to: "catalog.jsonl")
            let run = try vitrine.run(["db", "load", "--no-wait", file], variables: dev.variables(for: "vitrine"))
            #expect(run.status == .code(0), "\(run.errors)")
            let listed = "SELECT count(*) FROM vitrine.listings JOIN vitrine.items ON id = item_id WHERE source LIKE 'game-%'"
            try vitrine.wait { try dev.send("vitrine", listed) == "300\n" }
        }
    }

    @Test("A load that is killed while it writes to any table, and repeated, ends in the same catalog", arguments: [false, true])
    func killed(isEmpty: Bool) throws {
        try RunningDev.with(vitrine) { dev in
            let base = try migrated(dev, "base")
            // An empty catalog is loaded in a different way than one with an item.
            let before = try vitrine.write(Self.vocabulary + (isEmpty ? "" : Self.items(1)), to: "before.jsonl")
            #expect(try vitrine.run(["db", "load", before], variables: base).status == .code(0))
            let text = Self.items(90) + Self.others
            let arguments = ["db", "load", "--chunk-size", "20", try vitrine.write(text, to: "catalog.jsonl")]
            func copy(_ name: String) throws { try dev.send("vitrine", "CREATE DATABASE \(name) TEMPLATE base") }
            try copy("whole")
            #expect(try vitrine.run(arguments, variables: dev.variables(for: "whole")).status == .code(0))
            let expected = try dev.send("whole", Self.state)
            let tables = ["items", "item_texts", "item_prices", "touched_items", "listings", "search_documents"]
            for (ordinal, table) in tables.enumerated() {
                let name = "killed_at_\(table)"
                try copy(name)
                // Two chunks of 20 are written before the table is locked, and half of a third one is read. An empty catalog is loaded in
                // one transaction.
                try killLoad(of: text, startingWith: isEmpty ? 0 : 50, written: isEmpty ? 0 : 40, at: table, in: name, dev)
                let items = try dev.send(name, "SELECT count(*) FROM vitrine.items")
                let retained = isEmpty ? "0\n" : "40\n"
                // The index may be updated after the last chunk.
                #expect(items == retained || ordinal > 3 && items == "91\n", "\(table): \(items)")
                let again = try vitrine.run(arguments, variables: dev.variables(for: name))
                #expect(again.status == .code(0), "\(table): \(again.errors)")
                #expect(try dev.send(name, Self.state) == expected, "\(table)")
            }
        }
    }

    /// Kills a load and its database session while it waits for a table, which it reaches after some records.
    private func killLoad(
        of text: String, startingWith count: Int, written items: Int, at table: String, in database: String, _ dev: RunningDev
    ) throws {
        let lines = text.split(separator: "\n").map { "\($0)\n" }
        let variables = dev.variables(for: database)
        let arguments = ["db", "load", "--format", "jsonl", "--chunk-size", "20"]
        let output = "\(vitrine.folder)/\(database)"
        guard count > 0 else {
            var holder = try hold(table, in: database, dev)
            var load = try vitrine.start(arguments + [try vitrine.write(text, to: "\(database).jsonl")], variables, output: output)
            return try kill(&load, whileWaitingFor: table, heldBy: &holder, in: database, dev)
        }
        let pipe = try makePipe("\(database).records")
        var load = try vitrine.start(arguments + [pipe], variables, output: output)
        var holder: ChildProcess
        do {
            let records = try Descriptor(opening: pipe, .readAndWrite)
            try records.write(Array(lines[..<count].joined().utf8), subject: pipe)
            try vitrine.wait { try dev.send(database, "SELECT count(*) FROM vitrine.items") == "\(items)\n" }
            holder = try hold(table, in: database, dev)
            try records.write(Array(lines[count...].joined().utf8), subject: pipe)
        }
        try kill(&load, whileWaitingFor: table, heldBy: &holder, in: database, dev)
    }

    /// Starts a session that locks a table until it is killed.
    private func hold(_ table: String, in database: String, _ dev: RunningDev) throws -> ChildProcess {
        let pipe = try makePipe("\(database).statements")
        let holder = try vitrine.start(
            ["db", "psql", "--", "-Xqf", pipe], dev.variables(for: database), output: "\(vitrine.folder)/\(database).holder")
        let statements = try Descriptor(opening: pipe, .readAndWrite)
        let lock = "BEGIN;\nLOCK TABLE vitrine.\(table) IN ACCESS EXCLUSIVE MODE;\nSELECT pg_sleep(600);\n"
        try statements.write(Array(lock.utf8), subject: pipe)
        let held = "FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock' AND relation = 'vitrine.\(table)'::regclass"
        try vitrine.wait { try dev.send(database, "SELECT count(*) \(held)") == "1\n" }
        return holder
    }

    private func kill(
        _ load: inout ChildProcess, whileWaitingFor table: String, heldBy holder: inout ChildProcess, in database: String, _ dev: RunningDev
    ) throws {
        let waiting = "FROM pg_locks WHERE NOT granted AND relation = 'vitrine.\(table)'::regclass"
        try vitrine.wait { try dev.send(database, "SELECT count(*) \(waiting)") == "1\n" }
        try RunningProcess.send(.kill, to: load.id)
        _ = try load.wait()
        // Sessions detect a lost client late, so the session that must not write any further is ended first.
        for sessions in [
            waiting, "FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock' AND relation = 'vitrine.\(table)'::regclass",
        ] {
            try dev.send(database, "SELECT pg_terminate_backend(pid, 60000) \(sessions)")
        }
        try RunningProcess.send(.kill, to: holder.id)
        _ = try holder.wait()
    }

    private func makePipe(_ name: String) throws -> String {
        let path = "\(vitrine.folder)/\(name)"
        #expect(try ProcessLaunch("mkfifo", [path]).output().status.isSuccess)
        return path
    }

    @Test("An interrupted load reports what stays, and that is complete")
    func interrupted() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try migrated(dev, "interrupted")
            let before = try vitrine.write(Self.vocabulary + Self.items(1), to: "before.jsonl")
            #expect(try vitrine.run(["db", "load", before], variables: variables).status == .code(0))
            // The pipe stays open after four and a half chunks, so that the load is still running when it is interrupted.
            let pipe = "\(vitrine.folder)/pipe"
            #expect(try ProcessLaunch("mkfifo", [pipe]).output().status.isSuccess)
            let output = "\(vitrine.folder)/endless"
            var child = try vitrine.start(["db", "load", "--format", "jsonl", "--chunk-size", "10", pipe], variables, output: output)
            let writing = try Descriptor(opening: pipe, .readAndWrite)
            try writing.write(Array(Self.items(45).utf8), subject: pipe)
            let count = "SELECT count(*) FROM vitrine.items"
            try vitrine.wait { try dev.send("interrupted", count) == "40\n" }
            try RunningProcess.send(.interrupt, to: child.id)
            #expect(try vitrine.end(of: &child) == .code(130))
            let errors = try vitrine.text("\(output).errors")
            #expect(errors.contains("Changes before the error are kept: 39 added, 0 updated, 1 unchanged, 0 rejected."), "\(errors)")
            #expect(try dev.send("interrupted", count) == "40\n")
        }
    }
}
