import Catalog
import EventLoop
import HTTPMessages
import JSON
import Layout
import Postgres
import Security
import Telemetry
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP
@testable import Server

/// All routes of a server, with a former slug, a withdrawn item, an old list and old cursors.
struct SharedSite: Sendable {
    private let contract: ContractSite
    private let application: Application
    /// The values of the names in the paths of `SharedRoute`.
    private let names: [String: String]

    static func run(_ body: @escaping @Sendable (SharedSite) async throws -> Void) async throws {
        try await AdminSite.run(servesAll: true) { admin in
            let readiness = ReadinessCheck { _ in .ready }
            try await withThrowingTaskGroup { group in
                group.addTask(executorPreference: admin.pool.loop) { await readiness.watch(on: admin.pool.loop) }
                defer { group.cancelAll() }
                try await withImages { images in
                    let site = try await SharedSite(ContractSite(admin), readiness, images)
                    try await wait(while: try await site.send(.get, "/readyz", []).status != .ok)
                    try await body(site)
                }
            }
        }
    }

    private static func withImages(_ body: (ImageService) async throws -> Void) async throws {
        let group = try EventLoopGroup(name: "images", count: 2)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(ImageService(on: Painters([group.loops[1]], relay: group.loops[0]))))
        } catch { result = .failure(error) }
        await group.stop()
        try result.get()
    }

    private init(_ contract: ContractSite, _ readiness: ReadinessCheck, _ images: ImageService) async throws {
        self.contract = contract
        let admin = contract.admin
        let telemetry = Telemetry(now: { .epoch }, sinks: [], from: .debug)
        application = Application(
            Route.all(
                readiness, admin.metrics, admin.service.catalog, contract.pages, contract.sync, admin.service, images),
            middleware: .ofServe(RequestMetrics(), telemetry), metrics: RequestMetrics())
        let list = "/v1/us/feeds/today/sections/apps/items?limit=2&locale=en"
        let today = AdminSite.today.replacing("\"size\":5", with: "\"size\":4,\"continues\":true")
        try await contract.publish(document: today)
        let oldList = try #require(try await contract.get(list).json["section"]?["next"]?.string)
        try await contract.publish(document: today.replacing("\"continues\"", with: "\"sort\":\"-releaseDate\",\"continues\""))
        try await admin.sql(
            """
            SET search_path = vitrine, public;
            INSERT INTO charts VALUES ('us', 'top-free');
            INSERT INTO chart_entries SELECT 'us', 'top-free', serial_number, id FROM items WHERE slug < 'app-5';
            UPDATE items SET slug = 'app-8-new' WHERE slug = 'app-8';
            UPDATE items SET deleted_at = now() WHERE slug = 'app-7';
            """)
        try await contract.update()
        let key = try #require(HMACKey([UInt8](repeating: 1, count: 32)))
        let oldCursor = try await contract.get("/v1/us/sync?locale=en", of: try contract.otherSync(key: 2)).json["cursor"]?.string
        names = [
            "$item": try #require(try await contract.get("/v1/us/items/topapp:app-1?locale=en").json["id"]?.string),
            "$layout": try #require(try await contract.get("/v1/us/feeds/today?locale=en").json["sections"]?.first?["layout"]?.string),
            "$oldCursor": try #require(oldCursor), "$oldList": oldList,
            "$otherKey": CursorSigner(code: { key.code(of: $0) }, areEqual: { $0 == $1 }).cursor(at: ["1"], in: "list"),
        ]
    }

    /// Returns the response to a request, without any response that the server has stored.
    func send(_ method: Method, _ path: String, _ fields: [String]) async throws -> Response {
        if let state = contract.pages.memory.publishedState {
            contract.pages.memory.show(state, isChanged: true)
            contract.pages.rendered.removeAll(except: PublishedState())
        }
        let path = names.reduce(path) { $0.replacing($1.key, with: $1.value) }
        let request = Request(
            head: try head("\(method) \(path)", fields), body: [], peer: AdminSite.client, deadline: .soon)
        return switch application.service.respond(request) {
        case .now(let response): response
        case .later(_, let work), .waiting(_, let work): await work(contract.admin.pool.loop)
        }
    }
}
