import JSON
import Layout
import ScreenFiles

extension BenchmarkSuite {
    /// The solver against a loop that only does a grid's arithmetic, against Taffy, and against itself with more items.
    static let layout = BenchmarkSuite(name: "layout", needs: [.python]) { session in
        let shelves = try [("photo-grid-3", "grid"), ("tree-carousel", "tree")].map { name, shape in
            (name: name, shape: shape, content: SectionContent(layout: try section(name), itemCount: items))
        }
        let grid = shelves[0].content
        guard try solve([grid]).sections[0].frames.elementsEqual(loop.frames(), by: { $0.isNear($1) }) else {
            throw BenchmarkDisagreement(what: "the frames of photo-grid-3")
        }
        session.progress.show("against Taffy")
        let taffy = try againstTaffy(shelves)
        session.progress.show("against a loop")
        let loops = try shelves.map { try againstLoop($0.name, $0.content) }
        session.progress.show("growth")
        let growth = try growth(of: grid.layout)
        session.progress.show("hostile pages")
        let hostile = try hostile()
        session.progress.show("lint")
        return try loops + taffy + growth + hostile + [lint()]
    }

    private static let items = 1_000
    private static let loop = GridLoop(width: 390, items: items)
    private static let phone = LayoutEnvironment(width: 390, height: 844, scale: 3)

    private static func section(_ name: String) throws -> LayoutSection {
        guard let preset = Preset.named(name) else { throw BenchmarkFailure(reason: "there is no preset \(name)") }
        return preset.expanded().layout.section
    }

    private static func solve(_ contents: [SectionContent]) throws -> SolvedPage { try SolvedPage(solving: contents, in: phone) }

    private static func againstLoop(_ name: String, _ content: SectionContent) throws -> BenchmarkRow {
        let runs = try InterleavedRuns(calls: 100) {
            keep(try solve([content]))
        } theirs: {
            keep(loop.frames())
        }
        return BenchmarkRow(
            what: "layout: a frame of \(name), \(items) items", measured: runs.ours.divided(by: items).inNanoseconds,
            against: ("bare loop", runs.theirs.divided(by: items).inNanoseconds), bar: .ratioAtLeast(0.25))
    }

    private static func againstTaffy(_ shelves: [(name: String, shape: String, content: SectionContent)]) throws -> [BenchmarkRow] {
        let taffy = try Taffy()
        return try shelves.map { name, shape, content in
            let runs = try InterleavedRuns(rounds: 5, warmUps: 1) { _ in
                let sample = try InterleavedRuns.Sample(calls: 200) { keep(try solve([content])) }
                return .init(time: sample.time / 200)
            } theirs: { _ in
                .init(time: try taffy.time(shape, items: items))
            }
            return BenchmarkRow(
                what: "layout: \(name), \(items) items", measured: runs.ours, against: ("Taffy", runs.theirs), bar: .ratioAtLeast(5))
        }
    }

    /// Measures that the cost of a frame does not grow with the number of items. With few items, each one bears more of
    /// the fixed cost of a solve.
    private static func growth(of layout: LayoutSection) throws -> [BenchmarkRow] {
        try [(10, 1_000), (1_000, 10_000), (10_000, 100_000)].map { fewer, more in
            let (few, many) = (SectionContent(layout: layout, itemCount: fewer), SectionContent(layout: layout, itemCount: more))
            let runs = try InterleavedRuns(calls: 10) {
                keep(try solve([many]))
            } theirs: {
                keep(try solve([few]))
            }
            return BenchmarkRow(
                what: "layout: a frame of \(more)", measured: runs.ours.divided(by: more).inNanoseconds,
                against: ("of \(fewer)", runs.theirs.divided(by: fewer).inNanoseconds), bar: .ratioAtLeast(0.5))
        }
    }

    /// Measures the preset that takes longest on all screens against the same number of solves.
    private static func lint() throws -> BenchmarkRow {
        let lint = LayoutLint(try ScreenMatrix.builtIn())
        let timed = Preset.all.map { preset in
            let expansion = preset.expanded()
            return (preset, expansion, InterleavedRuns.Sample(calls: 3) { keep(lint.findings(in: expansion)) }.time)
        }
        guard let (preset, expansion, _) = timed.max(by: { $0.2 < $1.2 }) else { throw BenchmarkFailure(reason: "there are no presets") }
        let content = SectionContent(layout: expansion.layout.section, itemCount: items)
        let runs = try InterleavedRuns {
            keep(lint.findings(in: expansion))
        } theirs: {
            for _ in 0..<100 { keep(try solve([content])) }
        }
        return BenchmarkRow(
            what: "layout: lint of \(preset.name), which takes longest", measured: runs.ours, against: ("100 solves", runs.theirs),
            bar: .ratioAtLeast(1))
    }

    /// Measures CPU time, which other processes do not affect. Each page is solved, because a rejected one would cost
    /// nothing.
    private static func hostile() throws -> [BenchmarkRow] {
        try HostileLayouts.pages().map { name, contents in
            let runs = try InterleavedRuns(rounds: 5, calls: 1) {
                keep(try solve(contents))
            } theirs: {
            }
            return BenchmarkRow(what: "layout: hostile, \(name)", measured: runs.oursCPU.inMilliseconds, bar: .atMost(50))
        }
    }
}

extension Rectangle {
    fileprivate func isNear(_ other: Rectangle) -> Bool {
        abs(x - other.x) < 1e-6 && abs(y - other.y) < 1e-6 && abs(width - other.width) < 1e-6 && abs(height - other.height) < 1e-6
    }
}
