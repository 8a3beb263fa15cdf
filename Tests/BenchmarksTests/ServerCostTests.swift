import Testing

@testable import Benchmarks

@Suite("The costs of a request")
struct ServerCostTests {
    private static let stat =
        "4242 (vitrine (a) b) S 1 4242 4242 0 -1 4194560 2021 0 11 0 137 263 5 6 20 0 3 0 8872 221777920 6014 18446744073709551615"

    @Test("The ticks of a process are read after its name, which may have spaces and parentheses")
    func ticks() throws {
        let ticks = try #require(CPUReading.Ticks(ofStat: Self.stat))
        #expect(ticks.user == 137)
        #expect(ticks.kernel == 263)
        #expect(CPUReading.Ticks(ofStat: "4242 (vitrine) S 1 4242") == nil)
        #expect(CPUReading.Ticks(ofStat: "") == nil)
    }

    private func reading(_ total: Duration, user: Int, kernel: Int) throws -> CPUReading {
        let text = "1 (a) S 1 1 1 0 -1 0 0 0 0 0 \(user) \(kernel) 0 0"
        return CPUReading(total: total, ticks: try #require(CPUReading.Ticks(ofStat: text)))
    }

    @Test("The exact time is divided in the ratio of the ticks since the earlier reading")
    func division() throws {
        let earlier = try reading(.milliseconds(500), user: 40, kernel: 10)
        let later = try reading(.milliseconds(1_400), user: 70, kernel: 70)
        let spent = later.spent(since: earlier)
        #expect(spent.total == .milliseconds(900))
        #expect(abs(spent.kernel / .milliseconds(1) - 600) < 0.001)
        #expect(earlier.spent(since: earlier).kernel == .zero)
    }

    private func side(_ name: String, _ costs: [(onCore: Double, inKernel: Double)]) -> MeasuredSide {
        MeasuredSide(name: name, samples: costs.map { ServerSample(onCore: $0.onCore, inKernel: $0.inKernel, interval: 9, wakeUps: 0.5) })
    }

    @Test("The rest above the floor is the difference within each round, and its parts add up")
    func aboveTheFloor() throws {
        let vitrine = side("vitrine", [(9, 6), (18, 13), (10, 7)])
        let floor = side("floor", [(7, 5), (14, 11), (7, 5)])
        let all = try vitrine.figure(.onCore, above: floor)
        #expect((all.minimum, all.median, all.maximum) == (2, 3, 4))
        #expect(try vitrine.figure(.inKernel, above: floor).median == 2)
        #expect(try vitrine.figure(.inUserCode, above: floor).median == 1)
    }

    private func rows(isDetailed: Bool, floors: [MeasuredSide], and others: [MeasuredSide] = []) throws -> [BenchmarkRow] {
        let server = MeasuredServer(name: "vitrine", port: 1, process: 1)
        let contest = HTTPContest(name: "http", folder: "/", vitrine: server, peers: [server], isDetailed: isDetailed)
        let load = Load(name: "a page", path: "/", kind: .http1(isEncrypted: false), bar: 1.1, floorBar: 1 / 1.35)
        let (vitrine, nginx) = (side("vitrine", [(10, 7), (10, 7), (10, 7)]), side("nginx", [(12, 9), (12, 9), (12, 9)]))
        return try contest.rows("http: a page", load, vitrine, [nginx] + others, floors)
    }

    @Test("The bars are those of Vitrine against nginx and against the floor that only sends")
    func bars() throws {
        let floors = [side("floor", [(7, 6), (7, 6), (7, 6)]), side("floor that parses", [(8, 6), (8, 6), (8, 6)])]
        let rows = try rows(isDetailed: true, floors: floors)
        let bars = rows.filter { $0.bar != nil }
        #expect(
            bars.map(\.what) == [
                "http: a page, on a core", "http: a page, between two responses", "http: a page, on a core, vitrine",
            ])
        #expect(bars.map(\.against?.name) == ["nginx", "nginx", "floor"])
        // 10 µs are more than 1.35 × 7 µs.
        #expect(bars.map(\.isHeld) == [true, true, false])
        let rest = rows.filter { $0.what.contains("above the floor") }
        #expect(rest.map(\.measured.median) == [3, 1, 2, 1])
        #expect(rest.map(\.against?.figure.median) == [5, 3, 2, nil])
        #expect(rows.contains { $0.what == "http: a page, in the kernel" && $0.measured.median == 7 && $0.against?.figure.median == 9 })
        #expect(rows.contains { $0.what == "http: a page, in user code" && $0.against?.name == "floor" })
        #expect(rows.contains { $0.what == "http: a page, wake-ups of the client" && $0.measured.median == 0.5 })
    }

    @Test("A load with TLS has no floor, and a short contest has no parts")
    func noFloor() throws {
        #expect(try rows(isDetailed: true, floors: []).filter { $0.bar != nil }.count == 2)
        #expect(try !rows(isDetailed: true, floors: []).contains { $0.what.contains("floor") })
        let short = try rows(isDetailed: false, floors: [side("floor", [(7, 6), (7, 6), (7, 6)])])
        #expect(short.map(\.against?.name) == ["nginx", "nginx", "floor", "floor"])
    }

    @Test("Of two peers, the last one has the bars")
    func lastPeer() throws {
        let plain = side("plain nginx", [(13, 9), (13, 9), (13, 9)])
        let bars = try rows(isDetailed: false, floors: [], and: [plain]).filter { $0.bar != nil }
        #expect(bars.map(\.against?.name) == ["plain nginx", "plain nginx"])
    }

    @Test("A row names the cost, and misses its bar if the other server needs too little of it")
    func rows() throws {
        let (vitrine, nginx) = (side("vitrine", [(10, 7), (10, 7), (10, 7)]), side("nginx", [(11, 8), (11, 8), (11, 8)]))
        let row = try vitrine.row("http: a page", .onCore, against: nginx, bar: .ratioAtLeast(1 / 0.85))
        #expect(row.what == "http: a page, on a core")
        #expect(row.against?.name == "nginx")
        #expect(!row.isHeld)
        #expect(try vitrine.row("http: a page", .onCore, against: nginx, bar: .ratioAtLeast(1)).isHeld)
        #expect(try nginx.row("http: a page", .wakeUps, named: "nginx", against: vitrine, bar: nil).what.hasSuffix("client, nginx"))
    }
}
