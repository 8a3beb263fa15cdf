import Arguments
import Host
import JSON
import TestSupport
import Testing

@testable import CLI

@Suite("A draft in an editor", .serialized, .onOwnThread)
struct EditorSessionTests {
    @Test("Findings are comments above their lines, and are removed when the text is read")
    func comments() {
        let text = "{\n  \"a\": 1,\n  \"b\": 2\n}\n"
        let marked = EditorComment.mark(
            text,
            with: [
                EditorComment(line: 3, text: "too much"), EditorComment(line: 1, text: "two\nlines"), EditorComment(line: 99, text: "end"),
            ])
        #expect(marked == "//! two\n//! lines\n{\n  \"a\": 1,\n  //! too much\n  \"b\": 2\n}\n//! end\n")
        #expect(EditorComment.unmarked(marked) == text)
        #expect(EditorComment.unmarked("// mine\n") == "// mine\n")
        #expect(EditorComment.unmarked(marked.replacing("\n", with: "\r\n")) == text)
        #expect(EditorComment.mark("{\r\n}\r\n", with: [EditorComment(line: 2, text: "end")]) == "{\n//! end\n}\n")
    }

    @Test("A section can be edited alone, with pointers relative to the document")
    func parts() throws {
        let document = JSONValue(try JSONDocument(parsing: #"{"feed":"f","sections":[{"key":"a"},{"key":"b","size":1}]}"#).root)
        let part = EditableFragment.section("b")
        let value = try #require(part.value(in: document))
        #expect(part.document(document, with: value) == document)
        #expect(part.pointer(JSONPointer("/sections/1/size") ?? .root, in: document)?.description == "/size")
        #expect(part.pointer(JSONPointer("/sections/0/size") ?? .root, in: document) == nil)
        #expect(EditableFragment.section("c").value(in: document) == nil)
        #expect(part.value(in: part.document(document, with: .object([.init(key: "key", value: .string("b"))]))) != value)
    }

    @Test("A draft is not reported as unsaved if the response of the server to a save is missing")
    func unheard() {
        for (code, text) in [
            (ExitCode.invalid, "no changes were saved"), (.unreachable, "check whether the draft was saved with 'vitrine rev ls today'"),
            (.interrupted, "check whether the draft was saved with 'vitrine rev ls today'"),
        ] {
            let reported = EditorSession.keeping("/tmp/today.jsonc", of: "today", RemoteError(message: "m", advice: "a", exitCode: code))
            #expect(reported.advice == "a\n\(text)\nyour text is in /tmp/today.jsonc" && reported.exitCode == code)
        }
    }

    @Test("An editor opens again with errors, merges changes of others, and never loses the user's text")
    func session() throws {
        try CuratedSite.with { site in
            let folder = site.dev.vitrine.folder
            // Each opening of the editor runs the next step.
            var names = 0
            func edit(_ steps: [String], _ arguments: String...) throws -> (Vitrine.Result, [String]) {
                names += 1
                let script =
                    ["#!/bin/sh", "n=$(($(cat \(folder)/count) + 1)); echo $n >\(folder)/count; cp \"$1\" \(folder)/seen-$n", "case $n in"]
                    + steps.enumerated().map { "\($0 + 1)) \($1);;" } + ["esac", ""]
                _ = try site.dev.vitrine.write(script.joined(separator: "\n"), to: "editor-\(names)")
                try Descriptor(opening: "\(folder)/count", .replace).write(Array("0\n".utf8), subject: "count")
                let result = try site.run(
                    arguments: arguments, variables: ["EDITOR": "sh \(folder)/editor-\(names)", "TMPDIR": folder])
                let count = Int(try site.dev.vitrine.text("\(folder)/count").filter(\.isNumber)) ?? 0
                return (result, try (1...max(count, 1)).map { try site.dev.vitrine.text("\(folder)/seen-\($0)") })
            }

            // An editor does not inherit the token of its command.
            let token = try #require(site.variables["VITRINE_TOKEN"])
            let other = "VITRINE_TOKEN=\(token) \(site.dev.vitrine.path) section set today"
            let (saved, received) = try edit(
                [
                    #"sed -i 's/"size": 5/"size": "five"/' "$1""#, #"sed -i 's/"size": "five"/"size": 4/; s/^{/{,/' "$1""#,
                    #"sed -i 's/^{,/{/' "$1"; \#(other) hero --size 7 >/dev/null; \#(other) weekend --size 8 >/dev/null"#,
                    #"sed -i '/\/\/! /d' "$1""#,
                ], "feed", "edit", "today")
            #expect(
                saved.status == .code(0) && saved.output == "Saved revision 5 of 'today'.\n"
                    && saved.errors.hasSuffix("publish today'\n"),
                "\(saved)")
            try #require(received.count == 4)
            #expect(
                received[1].contains("//! /sections/0/size: expected an integer, found the string \"five\"\n      \"size\": \"five\""))
            #expect(received[2].contains("//! ") && !received[2].contains("five"))
            #expect(received[3].contains("//! /sections/0/size: revision 4 has 7 here. The value before was 5.\n      \"size\": 4"))
            let draft = try site.json("feed", "show", "today")["draft"]
            #expect(draft?["revision"]?.integer == 5)
            let limits = draft?["document"]?["sections"]?.elements.map { $0["size"]?.integer ?? 0 } ?? []
            #expect(limits.prefix(3) == [4, 12, 8])

            let (same, _) = try edit(["true"], "feed", "edit", "today")
            #expect(same.status == .code(0) && same.errors == "No changes.\n")
            let (left, _) = try edit([#"sed -i 's/"size": 4/"size": 0/' "$1""#, "true"], "section", "set", "today", "hero")
            #expect(left.status == .code(5), "\(left)")
            let retained = try #require(left.errors.firstMatch(of: #/your text is in (\S+)\n/#)?.1)
            #expect(try site.dev.vitrine.text(String(retained)).contains("\"size\": 0"))
            let (contested, _) = try edit(
                [#"sed -i 's/"size": 4/"size": 6/' "$1"; \#(other) hero --size 7"#, "true"], "section", "set", "today", "hero")
            #expect(contested.status == .code(4) && contested.errors.contains("no changes were saved"), "\(contested)")
            #expect(try site.run("section", "set", "today", "hero", "--size", "4").status == .code(0))
            let (moved, again) = try edit(
                [
                    #"sed -i 's/"key": "hero"/"key": "other"/' "$1""#,
                    #"sed -i 's/"key": "other"/"key": "hero"/; s/"size": 4/"size": 3/' "$1""#,
                ],
                "section", "set", "today", "hero")
            #expect(moved.status == .code(0) && again.last?.contains("The key of a section cannot change") == true, "\(moved)")
            // A program as the editor, which always makes the same change.
            let broken = [#"sed -i 's/"size": [0-9]*/"size": 0/; /^ *\/\/! /d' "$1""#]
            let (stubborn, opened) = try edit(Array(repeating: broken[0], count: 9), "feed", "edit", "today")
            #expect(stubborn.status == .code(5) && stubborn.errors.contains("the issues in the text are not resolved"), "\(stubborn)")
            #expect(opened.count == 2)
            let (emptied, _) = try edit([#"echo >"$1""#], "feed", "edit", "today")
            #expect(emptied.status == .code(5) && emptied.errors.contains("the edited text is empty"), "\(emptied)")
            let (foreign, _) = try edit([#"printf '\374' >>"$1""#], "feed", "edit", "today")
            #expect(foreign.status == .code(5) && foreign.errors.contains("not valid UTF-8"), "\(foreign)")
            let number = try site.json("feed", "show", "today")["draft"]?["revision"]?.integer
            let limit = #"sed -i 's/"size": 3\b/"size": 5/' "$1""#
            let (dry, _) = try edit([limit], "feed", "edit", "today", "--dry-run")
            #expect(dry.status == .code(0) && dry.output.hasPrefix("~ section hero\n") && dry.output.contains("size: 3 → 5"), "\(dry)")
            #expect(try site.json("feed", "show", "today")["draft"]?["revision"]?.integer == number)
            let draftLeft = try #require(dry.errors.firstMatch(of: #/Dry run: no changes made.\nhint: your text is in (\S+)\n/#)?.1)
            #expect(try site.dev.vitrine.text(String(draftLeft)).contains("\"size\": 5"))
            let (reported, _) = try edit([limit], "section", "set", "today", "hero", "-o", "json")
            let result = try JSONDocument(parsing: Array(reported.output.utf8)).root
            #expect(
                reported.status == .code(0) && result["fromRevision"]?.integer == number
                    && result["toRevision"]?.integer == number.map { $0 + 1 })
            #expect(result["document"]?["sections"]?.elements.first { _ in true }?["size"]?.integer == 5)
            let (ended, _) = try edit(["exit 3"], "feed", "edit", "today")
            #expect(ended.status == .code(1) && ended.errors.contains("ended with exit code 3"))
            let none = try site.run("feed", "edit", "today")
            #expect(none.status == .code(64) && none.errors.contains("EDITOR"))
            #expect(try site.run(arguments: ["section", "set", "today", "nothing"], variables: ["EDITOR": "true"]).status == .code(3))
        }
    }
}
