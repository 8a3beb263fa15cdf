import HTTPMessages

@testable import API
@testable import HTTP

extension Provocation {
    private static let weekend = "/admin/v1/experiments/weekend"
    private static let halves = #"{"arms":{"a":[[0,50]],"b":[[50,100]]},"default":"a"}"#

    /// Sends requests in their order and returns the last response. Each change has the ETag of the response before it.
    private static func send(_ site: ContractSite, _ changes: (line: String, body: String?)...) async throws -> Response {
        var response = try await site.curate("PUT \(weekend)", ["If-None-Match: *"], body: halves)
        for (line, body) in changes { response = try await site.curate(line, ["If-Match: \(response.tag)"], body: body) }
        return response
    }

    /// The experiment lives on from one provocation to the next.
    static let experiments = [
        Provocation("unknownExperiment", 404) { site in try await site.curate("GET \(weekend)") },
        Provocation("unknownImpression", 404) { site in try await site.curate("GET /admin/v1/impressions/damaged") },
        Provocation("experimentNotRunning", 409) { site in
            try await send(site, ("POST \(weekend):conclude", #"{"winner":"b"}"#))
        },
        Provocation("experimentMismatch", 422) { site in
            let tag = try await site.curate("GET \(weekend)").tag
            return try await site.curate("PUT \(weekend)", ["If-Match: \(tag)"], body: #"{"state":"running",\#(halves.dropFirst())"#)
        },
        Provocation("unknownArm", 422) { site in
            let tag = try await site.curate("GET \(weekend)").tag
            return try await site.curate("POST \(weekend):conclude", ["If-Match: \(tag)"], body: #"{"winner":"c"}"#)
        },
        Provocation("experimentInUse", 409) { site in
            try await site.admin.sql(
                #"""
                INSERT INTO vitrine.feeds (key) VALUES ('tested');
                INSERT INTO vitrine.revisions (feed, number, line, document)
                VALUES ('tested', 1, 'main', '{"feed":"tested","sections":[{"target":{"experiment":{"weekend":["a"]}}}]}');
                SELECT vitrine.publish('tested', 'base', 1);
                """#)
            let tag = try await site.curate("GET \(weekend)").tag
            return try await site.curate("DELETE \(weekend)", ["If-Match: \(tag)"])
        },
        Provocation("experimentRunning", 409) { site in
            var tag = try await site.curate("GET \(weekend)").tag
            tag = try await site.curate("POST \(weekend):start", ["If-Match: \(tag)"]).tag
            return try await site.curate("DELETE \(weekend)", ["If-Match: \(tag)"])
        },
        Provocation("experimentConcluded", 409) { site in
            var tag = try await site.curate("GET \(weekend)").tag
            tag = try await site.curate("POST \(weekend):conclude", ["If-Match: \(tag)"], body: #"{"winner":"b"}"#).tag
            return try await site.curate("POST \(weekend):start", ["If-Match: \(tag)"])
        },
    ]
}
