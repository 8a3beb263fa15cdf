import Feeds
import JSON
import Resolve
import Testing

@Suite("The documentation of feeds")
struct FeedsPageTests {
    @Test("The example of the page is a valid document")
    func example() throws {
        #expect(try FeedDocument(parsing: Array(FeedsPage.example.utf8)).sections.map(\.key.text) == ["top-free"])
    }

    @Test("The table of sections has every field, each with a valid example")
    func members() throws {
        var known: Set<String> = []
        for row in try FeedsPage.rows(below: "## Sections") {
            let keys = row[0].split(separator: ", ").map { $0.filter { $0 != "`" } }
            known.formUnion(keys)
            guard let key = keys.first, row[1] != "see below" else { continue }
            var members = [key: row[1]] as [String: String?]
            switch key {
            case "cells": members.merge(["cell": nil, "layout": #"{"nestedGroup": "feature-pair"}"#]) { $1 }
            case "group": members["sort"] = #""title""#
            default: break
            }
            #expect(throws: Never.self, "\(row)") { try FeedDocument(parsing: Array(ExampleFeed.document(members).utf8)) }
        }
        let error = try #require(throws: JSONError.self) {
            try FeedDocument(parsing: Array(ExampleFeed.document(["zzzzzzzzzz": "1"]).utf8))
        }
        let hint = try #require(error.issues.first?.hint)
        #expect(Set(hint.dropFirst("known keys: ".count).split(separator: ", ").map(String.init)) == known)
    }

    @Test("The tables have every condition, sort and target condition, and each example is valid")
    func tables() throws {
        let rules = try FeedsPage.rows(below: "## Rules").map { try Rule(parsing: Array($0[0].utf8)) }
        #expect(rules.count == 22)
        let sorts = try FeedsPage.rows(below: "## Sorts").map { try Sort(parsing: Array($0[0].utf8)) }
        #expect(sorts.first == .standard)
        #expect(sorts.count == 5)
        let targets = try FeedsPage.rows(below: "## Targets").map { try Target(parsing: Array($0[0].utf8)) }
        #expect(targets.count == 7)
    }
}
