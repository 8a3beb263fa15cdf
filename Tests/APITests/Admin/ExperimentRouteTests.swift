import Access
import Feeds
import HTTPMessages
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The routes of experiments", .databaseForEachTest)
struct ExperimentRouteTests {
    private static let weekend = "/admin/v1/experiments/weekend"
    private static let halves = #"{"arms":{"control":[[0,50]],"pairs":[[50,100]]},"default":"control"}"#

    /// Sends a change with the present ETag of its resource.
    private func change(_ site: AdminSite, _ anna: AccessToken, _ line: String, body: String? = nil) async throws -> Response {
        let path = String(line.split(separator: " ")[1]).split(separator: ":").first.map(String.init) ?? ""
        let tag = try await site.send("GET \(path)", anna).tag
        return try await site.send(line, anna, ["If-Match: \(tag)"], body: body)
    }

    @Test("An experiment goes from its creation to its winner, with an audit entry for each change")
    func life() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish, "anna")
            let created = try await site.expect(.created, "PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: Self.halves)
            #expect(created[.location] == [Self.weekend])
            #expect(try created.json["salt"]?.string == "weekend" && created.json["state"]?.string == "draft")
            try await site.expect(.preconditionFailed, "PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: Self.halves)
            let again = try await site.expect(.ok, "PUT \(Self.weekend)", anna, ["If-Match: \(created.tag)"], body: created.text)
            #expect(again.tag == created.tag)
            let started = try await site.expect(.ok, "POST \(Self.weekend):start", anna, ["If-Match: \(created.tag)"])
            #expect(try started.json["state"]?.string == "running" && started.tag != created.tag)
            try await site.expect(.preconditionFailed, "POST \(Self.weekend):start", anna, ["If-Match: \(created.tag)"])
            let moved = #"{"arms":{"control":[[0,90]],"pairs":[[90,100]]},"default":"control"}"#
            let saved = try await site.expect(.ok, "PUT \(Self.weekend)", anna, ["If-Match: \(started.tag)"], body: moved)
            let fields = ["If-Match: \(saved.tag)", "Idempotency-Key: end"]
            let ended = try await site.expect(.ok, "POST \(Self.weekend):conclude", anna, fields, body: #"{"winner":"pairs"}"#)
            #expect(try ended.json["winner"]?.string == "pairs")
            let repeated = try await site.expect(.ok, "POST \(Self.weekend):conclude", anna, fields, body: #"{"winner":"pairs"}"#)
            #expect(repeated.text == ended.text && repeated.tag == ended.tag)
            let all = try await site.expect(.ok, "GET /admin/v1/experiments", anna)
            #expect(try all.json["experiments"]?.elements.compactMap { $0["experiment"]?.string } == ["weekend"])
            try await site.expect(.noContent, "DELETE \(Self.weekend)", anna, ["If-Match: \(ended.tag)"])
            try await site.expect(.notFound, "GET \(Self.weekend)", anna)
            #expect(
                try await site.rows("SELECT action || ' ' || subject FROM vitrine.audit_entries ORDER BY number") == [
                    "experiment.save experiments/weekend", "experiment.start experiments/weekend", "experiment.save experiments/weekend",
                    "experiment.conclude experiments/weekend", "experiment.delete experiments/weekend",
                ])
        }
    }

    @Test("What a running or concluded experiment does not allow is a conflict, and changes nothing")
    func conflicts() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            try await site.expect(.created, "PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: Self.halves)
            func refuse(_ line: String, _ body: String? = nil, _ status: Status, _ code: String, _ pointer: String? = nil) async throws {
                let before = try await site.send("GET \(Self.weekend)", anna).text
                let response = try await change(site, anna, line, body: body)
                #expect(response.status == status, "\(response.text)")
                #expect(try response.code == code)
                if let pointer { #expect(try response.json["errors"]?.elements.map(\.self).first?["pointer"]?.string == pointer) }
                #expect(try await site.send("GET \(Self.weekend)", anna).text == before)
            }
            let put = "PUT \(Self.weekend)"
            try await refuse("POST \(Self.weekend):conclude", #"{"winner":"pairs"}"#, .conflict, "experimentNotRunning")
            try await refuse(put, #"{"arms":{"a":[[0,99]]},"default":"a"}"#, .unprocessableContent, "invalidDocument", "/arms")
            try await refuse(
                put, #"{"state":"running","arms":{"a":[[0,100]]},"default":"a"}"#, .unprocessableContent, "experimentMismatch", "/state")
            #expect(try await change(site, anna, "POST \(Self.weekend):start").status == .ok)
            try await refuse(put, #"{"salt":"x",\#(Self.halves.dropFirst())"#, .conflict, "experimentRunning", "/salt")
            try await refuse(put, #"{"arms":{"control":[[0,100]]},"default":"control"}"#, .conflict, "experimentRunning", "/arms")
            try await refuse(
                put, Self.halves.replacing(#""default":"control""#, with: #""default":"pairs""#), .conflict, "experimentRunning", "/default"
            )
            try await refuse("DELETE \(Self.weekend)", nil, .conflict, "experimentRunning")
            try await refuse("POST \(Self.weekend):conclude", #"{"winner":"rows"}"#, .unprocessableContent, "unknownArm", "/winner")
            #expect(try await change(site, anna, "POST \(Self.weekend):conclude", body: #"{"winner":"pairs"}"#).status == .ok)
            try await refuse("POST \(Self.weekend):conclude", #"{"winner":"control"}"#, .conflict, "experimentConcluded")
            try await refuse("POST \(Self.weekend):start", nil, .conflict, "experimentConcluded")
            try await refuse(
                put, #"{"arms":{"control":[[0,10]],"pairs":[[10,100]]},"default":"control"}"#, .conflict, "experimentConcluded")
        }
    }

    @Test("Each broken experiment is rejected with the place of its issue, by the change and by its plan, and nothing is stored")
    func broken() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            let ended = "/admin/v1/experiments/ended"
            try await site.expect(
                .created, "PUT \(ended)", anna, ["If-None-Match: *"], body: #"{"arms":\#(BrokenExperiment.halves),"default":"a"}"#)
            let running = try await change(site, anna, "POST \(ended):start")
            #expect(running.status == .ok)
            for broken in BrokenExperiment.all {
                let responses =
                    if broken.part == .winner {
                        try await [
                            change(site, anna, "POST \(ended):conclude", body: broken.winner.map { #"{"winner":"\#($0)"}"# } ?? "{}"),
                            site.send(
                                "POST \(ended):plan", anna,
                                body: #"{"action":"conclude"\#(broken.winner.map { #","winner":"\#($0)""# } ?? "")}"#),
                        ]
                    } else {
                        try await [
                            site.send("PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: broken.body),
                            site.send("POST \(Self.weekend):plan", anna, body: #"{"action":"save","experiment":\#(broken.body)}"#),
                        ]
                    }
                // The issue of a missing member is that of its object.
                let member =
                    switch broken.part {
                    case .arms, .names: "/arms"
                    case .defaultArm: broken.defaultArm == nil ? "" : "/default"
                    case .winner: broken.winner == nil ? "" : "/winner"
                    }
                for (response, pointer) in zip(responses, [member, broken.part == .winner ? member : "/experiment\(member)"]) {
                    #expect(response.status == .unprocessableContent, "\(broken.name): \(response.text)")
                    let isKnown = broken.part == .winner && broken.winner != nil
                    #expect(try response.code == (isKnown ? "unknownArm" : "invalidDocument"), "\(broken.name): \(response.text)")
                    let pointers = try response.json["errors"]?.elements.compactMap { $0["pointer"]?.string } ?? []
                    #expect(pointers.contains { pointer.isEmpty ? $0.isEmpty : $0.hasPrefix(pointer) }, "\(broken.name): \(response.text)")
                }
            }
            #expect(try await site.rows("SELECT key || ' ' || state FROM vitrine.experiments") == ["ended running"])
            #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["2"])
        }
    }

    @Test("A plan lists the places that change their arm, with their share, and changes nothing")
    func plan() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            let reader = try await site.token(.read, "reader")
            let new = try await site.expect(
                .ok, "POST \(Self.weekend):plan", reader, body: #"{"action":"save","experiment":\#(Self.halves)}"#)
            #expect(try new.json["before"] == nil && new.json["moves"]?.count == 0)
            try await site.expect(.notFound, "POST \(Self.weekend):plan", reader, body: #"{"action":"start"}"#)
            try await site.expect(.created, "PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: Self.halves)
            let holdout = try await change(site, anna, "PUT /admin/v1/holdout", body: #"{"salt":"h-2026","share":20}"#)
            #expect(holdout.status == .ok)
            let start = try await site.expect(.ok, "POST \(Self.weekend):plan", reader, body: #"{"action":"start"}"#)
            #expect(try start.json.decodeLeniently(ExperimentPlan.self)?.changedPercent == 40)
            let moves = try start.json.decodeLeniently(ExperimentPlan.self)?.moves ?? []
            #expect(moves.map(\.places) == [50..<100] && moves.first?.from == "control" && moves.first?.to == "pairs")
            #expect(try await change(site, anna, "POST \(Self.weekend):start").status == .ok)
            let ranges = #"{"arms":{"control":[[0,40],[95,100]],"pairs":[[40,95]]},"default":"control"}"#
            let moved = try await site.expect(
                .ok, "POST \(Self.weekend):plan", reader, body: #"{"action":"save","experiment":\#(ranges)}"#)
            let plan = try #require(try moved.json.decodeLeniently(ExperimentPlan.self))
            #expect(plan.moves.map(\.places) == [40..<50, 95..<100] && plan.changedPercent == 12)
            #expect(plan.moves.map { "\($0.from) \($0.to)" } == ["control pairs", "pairs control"])
            let end = try await site.expect(.ok, "POST \(Self.weekend):plan", reader, body: #"{"action":"conclude","winner":"pairs"}"#)
            #expect(try end.json.decodeLeniently(ExperimentPlan.self)?.changedPercent == 60)
            #expect(try await site.send("GET \(Self.weekend)", anna).json["state"]?.string == "running")
        }
    }

    private static let feed = #"""
        {"format":2,"feed":"today","title":{"en":"Today","es":"Hoy","de":"Heute","ar":"اليوم"},"sections":[
          {"key":"apps","layout":{"list":{}},"cell":"row","rule":{"kind":"topApp"},"target":{"experiment":{"weekend":["pairs"]}}}]}
        """#

    @Test("An experiment that a published feed names cannot be deleted, and its draft keeps the named arms")
    func inUse() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            try await site.expect(.created, "PUT /admin/v1/feeds/today/draft", anna, ["If-None-Match: *"], body: Self.feed)
            let schedule = try await site.expect(.ok, "GET /admin/v1/feeds/today/publications", anna).tag
            let publication = "POST /admin/v1/feeds/today/publications"
            let fields = ["If-Match: \(schedule)"]
            let refused = try await site.expect(.unprocessableContent, publication, anna, fields, body: #"{"revision":1}"#)
            #expect(try refused.json["findings"]?.elements.map(\.self).first?["code"]?.string == "UNKNOWN_EXPERIMENT")
            try await site.expect(.created, "PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: Self.halves)
            try await site.expect(.created, publication, anna, fields, body: #"{"revision":1}"#)
            let response = try await change(site, anna, "DELETE \(Self.weekend)")
            #expect(response.status == .conflict)
            #expect(try response.code == "experimentInUse" && response.text.contains("'today'"))
            // The draft can lose the arm that no feed names, and keeps the other one.
            for (arms, isKept) in [(#"{"rows":[[0,50]],"pairs":[[50,100]]}"#, true), (#"{"rows":[[0,100]]}"#, false)] {
                let body = #"{"arms":\#(arms),"default":"rows"}"#
                let planned = try await site.send("POST \(Self.weekend):plan", anna, body: #"{"action":"save","experiment":\#(body)}"#)
                let saved = try await change(site, anna, "PUT \(Self.weekend)", body: body)
                for (response, pointer) in [(planned, "/experiment/arms"), (saved, "/arms")] {
                    #expect(response.status == (isKept ? .ok : .conflict), "\(response.text)")
                    guard !isKept else { continue }
                    #expect(try response.code == "experimentInUse" && response.text.contains("'today'"))
                    let error = try response.json["errors"]?.first
                    #expect(error?["pointer"]?.string == pointer && error?["message"]?.string?.contains("pairs") == true)
                }
            }
            #expect(try await site.send("GET \(Self.weekend)", anna).json["arms"]?.count == 2)
        }
    }

    @Test("A change waits for a publication that names the experiment, and then conflicts with it")
    func publicationRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            try await site.expect(.created, "PUT /admin/v1/feeds/today/draft", anna, ["If-None-Match: *"], body: Self.feed)
            try await site.expect(.created, "PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: Self.halves)
            let tag = try await site.send("GET \(Self.weekend)", anna).tag
            let changes = [
                ("DELETE \(Self.weekend)", nil), ("PUT \(Self.weekend)", #"{"arms":{"control":[[0,100]]},"default":"control"}"#),
            ]
            for (line, body) in changes {
                try await site.pool.withConnection(until: .soon) { connection in
                    try await connection.runScript("publish", "BEGIN; SELECT vitrine.publish('today', 'takeover', 1)", until: .soon)
                    async let response = site.send(line, anna, ["If-Match: \(tag)"], body: body)
                    try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
                    try await connection.runScript("commit", "COMMIT", until: .soon)
                    let refused = try await response
                    #expect(try refused.status == .conflict && refused.code == "experimentInUse", "\(line): \(refused.text)")
                }
                try await site.sql("SELECT vitrine.cancel_publication(max(id)) FROM vitrine.publications")
            }
            #expect(try await site.send("GET \(Self.weekend)", anna).tag == tag)
        }
    }

    @Test("A publication waits for the deletion of its experiment, or for the loss of its arm, and its review finds it")
    func deletionRace() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            try await site.expect(.created, "PUT /admin/v1/feeds/today/draft", anna, ["If-None-Match: *"], body: Self.feed)
            try await site.expect(.created, "PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: Self.halves)
            let tag = try await site.send("GET /admin/v1/feeds/today/publications", anna).tag
            let changes = [
                (#"UPDATE vitrine.experiments SET arms = '{"control": [[0, 100]]}'"#, "UNKNOWN_ARM"),
                ("DELETE FROM vitrine.experiments", "UNKNOWN_EXPERIMENT"),
            ]
            for (sql, code) in changes {
                try await site.pool.withConnection(until: .soon) { connection in
                    try await connection.runScript("change", "BEGIN; \(sql)", until: .soon)
                    async let response = site.send(
                        "POST /admin/v1/feeds/today/publications", anna, ["If-Match: \(tag)"], body: #"{"revision":1}"#)
                    try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
                    try await connection.runScript("commit", "COMMIT", until: .soon)
                    let refused = try await response
                    #expect(try refused.status == .unprocessableContent && refused.code == "reviewFailed", "\(sql): \(refused.text)")
                    #expect(try refused.json["findings"]?.first?["code"]?.string == code, "\(sql): \(refused.text)")
                }
            }
            #expect(try await site.rows("SELECT id::text FROM vitrine.publications") == [])
        }
    }

    @Test("Each error of a plan is at a place of the body that was sent")
    func pointers() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            try await site.expect(.created, "PUT \(Self.weekend)", anna, ["If-None-Match: *"], body: Self.halves)
            #expect(try await change(site, anna, "POST \(Self.weekend):start").status == .ok)
            func save(_ member: String) -> String {
                #"{"action":"save","experiment":{\#(member)\#(Self.halves.dropFirst())}"#
            }
            let bodies = [
                (save(#""salt":"x","#), "/experiment/salt"), (save(#""state":"draft","#), "/experiment/state"),
                (save(#""winner":"pairs","#), "/experiment/winner"), (save(#""experiment":"other","#), "/experiment/experiment"),
                (save(#""weight":1,"#), "/experiment/weight"), (save(#""salt":"not a name","#), "/experiment/salt"),
                (save("").replacing(#""default":"control""#, with: #""default":"pairs""#), "/experiment/default"),
                (save("").replacing(#""default":"control""#, with: #""default":"rows""#), "/experiment/default"),
                (#"{"action":"save","experiment":{"arms":{"control":[[0,100]]},"default":"control"}}"#, "/experiment/arms"),
                (#"{"action":"save","experiment":{"arms":{"control":[[0,99]]},"default":"control"}}"#, "/experiment/arms"),
                (#"{"action":"save","experiment":{}}"#, "/experiment"), (#"{"action":"save"}"#, ""),
                (#"{"action":"conclude","winner":"rows"}"#, "/winner"), (#"{"action":"conclude"}"#, ""),
                (#"{"action":"stop"}"#, "/action"),
            ]
            for (body, pointer) in bodies {
                let response = try await site.send("POST \(Self.weekend):plan", anna, body: body)
                let pointers = try response.json["errors"]?.elements.compactMap { $0["pointer"]?.string } ?? []
                #expect(pointers.contains(pointer), "\(body): \(response.text)")
                for pointer in pointers {
                    var node: JSONNode? = try JSONDocument(parsing: Array(body.utf8)).root
                    for part in pointer.split(separator: "/") { node = node?[String(part)] }
                    #expect(node != nil, "\(body): \(pointer)")
                }
            }
        }
    }

    @Test("A new key has no colon, so that each experiment has a path of its own")
    func keys() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            for key in ["a%3Astart", "a%3Aconclude", "a%3Aplan", "a:b", "%3A"] {
                let path = "/admin/v1/experiments/\(key)"
                let plan = #"{"action":"save","experiment":\#(Self.halves)}"#
                for response in try await [
                    site.send("PUT \(path)", anna, ["If-None-Match: *"], body: Self.halves),
                    site.send("POST \(path):plan", anna, body: plan),
                ] {
                    #expect(try response.status == .badRequest && response.code == "invalidParameter", "\(key): \(response.text)")
                    #expect(try response.json["errors"]?.first?["parameter"]?.string == "experiment", "\(key): \(response.text)")
                }
            }
            #expect(try await site.rows("SELECT key FROM vitrine.experiments") == [])
        }
    }

    @Test("The holdout is refused with the place of its issue, and nothing is stored")
    func brokenHoldout() async throws {
        try await AdminSite.run { site in
            let anna = try await site.token(.publish)
            let before = try await site.send("GET /admin/v1/holdout", anna).text
            let bodies = [
                (#"{"salt":"not a name","share":5}"#, "/salt"), (#"{"salt":"","share":5}"#, "/salt"),
                (#"{"salt":"h","share":101}"#, "/share"),
                (#"{"salt":"h","share":-1}"#, "/share"), (#"{"salt":"h"}"#, ""), (#"{"share":5}"#, ""),
                (#"{"salt":"h","share":5,"shares":6}"#, "/shares"),
            ]
            for (body, pointer) in bodies {
                let response = try await change(site, anna, "PUT /admin/v1/holdout", body: body)
                #expect(try response.status == .unprocessableContent && response.code == "invalidDocument", "\(body): \(response.text)")
                #expect(try response.json["errors"]?.elements.map { $0["pointer"]?.string } == [pointer], "\(body): \(response.text)")
            }
            #expect(try await site.send("GET /admin/v1/holdout", anna).text == before)
        }
    }
}
