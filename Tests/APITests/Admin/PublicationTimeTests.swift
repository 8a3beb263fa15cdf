import Access
import HTTPMessages
import JSON
import TestDatabase
import Testing

@testable import API

@Suite("The years of publications", .databaseForEachTest)
struct PublicationTimeTests {
    private static let feed = "/admin/v1/feeds/today"

    @Test(
        "A time in the year 9999 is rejected with its pointer, in a plan as well as in a publication",
        arguments: ["9999-12-31T23:30", "9999-01-01T00:00:00Z", "9998-12-31T23:30:00-01:00"])
    func lastYear(time: String) async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.expect(.created, "PUT \(Self.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.today)
            for (field, order) in [
                ("from", #"{"revision":1,"from":"\#(time)"}"#), ("until", #"{"revision":1,"layer":"takeover","until":"\#(time)"}"#),
            ] {
                for (line, body, pointer) in [
                    ("POST \(Self.feed):plan", #"{"publish":\#(order)}"#, "/publish/\(field)"),
                    ("POST \(Self.feed)/publications", order, "/\(field)"),
                ] {
                    let rejected = try await site.expect(.unprocessableContent, line, anna, ["If-Match: *"], body: body)
                    let errors = try rejected.json["errors"]?.elements.map { [$0["pointer"]?.string, $0["message"]?.string] }
                    #expect(errors == [[pointer, "expected a time before the year 9999"]], "\(rejected.text)")
                }
            }
        }
    }

    @Test("The first year is in the past like any other, and the last day that is valid is published everywhere")
    func bounds() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            try await site.expect(.created, "PUT \(Self.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.today)
            let over = #"{"revision":1,"layer":"takeover","until":"0001-01-01T00:00"}"#
            let rejected = try await site.expect(.unprocessableContent, "POST \(Self.feed):plan", anna, body: #"{"publish":\#(over)}"#)
            #expect(try rejected.code == "invalidEnd", "\(rejected.text)")
            let passed = #"{"publish":{"revision":1,"from":"0001-01-01T00:00"}}"#
            let plan = try await site.expect(.ok, "POST \(Self.feed):plan", anna, body: passed)
            #expect(try plan.json["findings"]?.elements.contains { $0["code"]?.string == "STARTS_NOW" } == true, "\(plan.text)")
            let last = #"{"revision":1,"layer":"takeover","until":"9998-12-31T23:59"}"#
            let done = try await site.expect(.created, "POST \(Self.feed)/publications", anna, ["If-Match: *"], body: last)
            let ends = try done.json["publication"]?["spans"]?.elements.compactMap { $0["until"]?.string?.prefix(4) }
            #expect(ends?.count == 3 && ends?.contains("9999") == true, "\(done.text)")
        }
    }
}
