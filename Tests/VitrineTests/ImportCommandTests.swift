import Host
import TestSupport
import Testing

/// `vitrine item import`, `ls`, `show`, `set` and `withdraw` as an operator and as fate treat them.
@Suite(.serialized, .onOwnThread) struct ImportCommandTests {
    let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private static let words = """
        {"kind":"storefront","key":"us","currency":"USD","timeZone":"America/New_York","locales":["en"],"defaultLocale":"en"}
        {"kind":"category","key":"games","title":"Games"}

        """

    private static func items(_ count: Int) -> String {
        (0..<count).map { number in
            """
            {"kind":"topApp","source":"game-\(number)","title":"Game \(number)","categories":["games"],"bundleID":"org.example.game\(number)",\
            "developer":"Games","appVersion":"1.0","sizeBytes":1000,"platforms":["ios"],"ageRating":"4+","releaseDate":"2024-05-01",\
            "prices":{"us":{"amountMinor":\(number),"currency":"USD"}}}

            """
        }.joined()
    }

    /// All that an import decides of a database.
    private static let state = """
        SELECT md5(string_agg(line, E'\\n' ORDER BY line)) || ' ' || count(*) FROM (
            SELECT (to_jsonb(items) - 'created_at' - 'updated_at')::text AS line FROM vitrine.items
            UNION ALL SELECT to_jsonb(top_apps)::text FROM vitrine.top_apps
            UNION ALL SELECT to_jsonb(item_texts)::text FROM vitrine.item_texts
            UNION ALL SELECT to_jsonb(item_categories)::text FROM vitrine.item_categories
            UNION ALL SELECT to_jsonb(item_prices)::text FROM vitrine.item_prices
            UNION ALL SELECT to_jsonb(listings)::text FROM vitrine.listings
        ) AS lines
        """

    private func migrated(_ dev: RunningDev, _ name: String) throws -> [String: String] {
        let variables = try dev.create(name)
        #expect(try vitrine.run(["db", "migrate"], variables: variables).status == .code(0))
        return variables
    }

    @Test("a file is imported with counts, again without a change, and its rejects have an exit code and a file of their own")
    func lifecycle() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try migrated(dev, "imported")
            let file = try vitrine.write(Self.words + Self.items(25) + "{\"kind\":\"topApp\"}\nnonsense\n", to: "catalog.jsonl")
            let planned = try vitrine.run(["item", "import", "--dry-run", file], variables: variables)
            #expect(planned.output == "would be: 27 new, 0 changed, 0 unchanged, 2 rejected\n" && planned.status == .code(5))
            let rejects = "\(vitrine.folder)/rejects.jsonl"
            let first = try vitrine.run(["item", "import", "--rejects", rejects, file], variables: variables)
            #expect(first.output == "27 new, 0 changed, 0 unchanged, 2 rejected\n" && first.status == .code(5), "\(first.errors)")
            let lines = try vitrine.text(rejects).split(separator: "\n")
            #expect(lines.last?.hasPrefix("{\"line\":29,\"pointer\":\"\",\"code\":\"UNEXPECTED_CHARACTER\"") == true, "\(lines)")
            #expect(lines.first?.hasPrefix("{\"line\":28,") == true)
            let again = try vitrine.run(["item", "import", "-o", "json", file], variables: variables)
            #expect(again.output.contains("\"unchanged\": 27") && again.errors.contains("line 29"))
            let refused = try vitrine.run(["item", "import", "--max-rejects", "1", file], variables: variables)
            #expect(refused.status == .code(5) && refused.errors.contains("error: more than 1 records were rejected"))
            #expect(try vitrine.run(["item", "import", "nowhere.jsonl"], variables: variables).status == .code(3))
            #expect(try vitrine.run(["item", "import"], variables: variables).status == .code(64))
        }
    }

    @Test("items are listed, shown as they can be imported, set and withdrawn")
    func editing() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try migrated(dev, "edited")
            let file = try vitrine.write(Self.words + Self.items(3), to: "catalog.jsonl")
            #expect(try vitrine.run(["item", "import", file], variables: variables).status == .code(0))
            let names = try vitrine.run(["item", "ls", "-o", "name"], variables: variables)
            #expect(names.output == "topapp:game-0\ntopapp:game-1\ntopapp:game-2\n", "\(names.errors)")
            #expect(try vitrine.run(["item", "ls", "--limit", "1"], variables: variables).output.contains("1       topapp:game-0"))
            let shown = try vitrine.run(["item", "show", "game-1", "-o", "jsonl"], variables: variables)
            let saved = try vitrine.write(shown.output, to: "saved.jsonl")
            #expect(
                try vitrine.run(["item", "import", saved], variables: variables).output == "0 new, 0 changed, 1 unchanged, 0 rejected\n")

            let set = ["item", "set", "topapp:game-1", "title.de=Spiel", "prices.us.amountMinor=999"]
            #expect(try vitrine.run(set, variables: variables).output == "changed\n")
            #expect(try vitrine.run(set, variables: variables).output == "unchanged\n")
            let yaml = try vitrine.run(["item", "show", "game-1"], variables: variables).output
            #expect(yaml.contains("  de: \"Spiel\"\n") && yaml.contains("    amountMinor: 999\n"), "\(yaml)")
            let wrong = try vitrine.run(["item", "set", "game-1", "sizeBytes=-1"], variables: variables)
            #expect(wrong.status == .code(5) && wrong.errors.contains("/sizeBytes"))
            #expect(
                try vitrine.run(["item", "set", "game-1", "sizeByte=1"], variables: variables).errors.contains("did you mean sizeBytes?"))
            #expect(try vitrine.run(["item", "show", "game-9"], variables: variables).status == .code(3))

            #expect(try vitrine.run(["item", "withdraw", "game-0", "game-1"], variables: variables).output == "2 withdrawn\n")
            #expect(try vitrine.run(["item", "ls", "-o", "name"], variables: variables).output == "topapp:game-2\n")
            #expect(
                try vitrine.run(["item", "import", saved], variables: variables).output == "0 new, 1 changed, 0 unchanged, 0 rejected\n")
        }
    }

    @Test("killed at random moments and run again it ends in the same catalog", arguments: [false, true])
    func killed(isEmpty: Bool) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        try RunningDev.with(vitrine) { dev in
            let base = try migrated(dev, "base")
            // An empty catalog is loaded in another way than one with an item.
            let before = try vitrine.write(Self.words + (isEmpty ? "" : Self.items(1)), to: "before.jsonl")
            #expect(try vitrine.run(["item", "import", before], variables: base).status == .code(0))
            let file = try vitrine.write(Self.words + Self.items(600), to: "catalog.jsonl")
            let arguments = ["item", "import", "--chunk", "20", file]
            func copy(_ name: String) throws -> [String: String] {
                try dev.ask("vitrine", "CREATE DATABASE \(name) TEMPLATE base")
                return dev.variables(for: name)
            }
            let start = ContinuousClock.now
            #expect(try vitrine.run(arguments, variables: try copy("whole")).status == .code(0))
            let length = Int(start.duration(to: .now) / .milliseconds(1))
            let expected = try dev.ask("whole", Self.state)
            for round in 0..<5 {
                let variables = try copy("killed_\(round)")
                var child = try vitrine.start(arguments, variables, output: "\(vitrine.folder)/killed-\(round)")
                _ = Signal.next(of: [], within: .milliseconds(Int.random(in: 0...length, using: &random)))
                try RunningProcess.send(.kill, to: child.id)
                _ = try child.wait()
                let again = try vitrine.run(arguments, variables: variables)
                #expect(again.status == .code(0), "seed \(seed), round \(round): \(again.errors)")
                #expect(try dev.ask("killed_\(round)", Self.state) == expected, "seed \(seed), round \(round)")
            }
        }
    }

    @Test("interrupted, it says so, and what is left is whole")
    func interrupted() throws {
        try RunningDev.with(vitrine) { dev in
            let variables = try migrated(dev, "interrupted")
            // Nobody ends what it reads, so that it is still there to be interrupted.
            var child = try vitrine.start(
                ["item", "import", "--from", "jsonl", "/dev/zero"], variables, output: "\(vitrine.folder)/endless")
            try vitrine.wait { try dev.ask("vitrine", "SELECT count(*) FROM pg_stat_activity WHERE datname = 'interrupted'") != "0\n" }
            try RunningProcess.send(.interrupt, to: child.id)
            #expect(try vitrine.end(of: &child) == .code(130))
        }
    }
}
