import JSON

/// The rows of the completed suites, the failures of the others, and the growth as far as it was measured.
struct BenchmarkRun {
    private(set) var rows: [BenchmarkRow] = []
    private(set) var failures: [(suite: String, reason: String)] = []
    private let growth: GrowthTable?

    /// Runs each suite, even after one has failed.
    init(_ suites: [BenchmarkSuite], _ session: BenchmarkSession) {
        for (index, suite) in suites.enumerated() {
            session.progress.begin(suite.name, index + 1, of: suites.count)
            do {
                rows += try suite.run(session)
            } catch {
                failures.append((suite.name, "\(error)"))
            }
        }
        growth = session.growth
        do { try session.close() } catch { failures.append(("the end", "\(error)")) }
    }

    /// The exit code: 2 if a suite failed, 1 if a bar was missed.
    var exitCode: Int32 { !failures.isEmpty ? 2 : rows.allSatisfy(\.isHeld) ? 0 : 1 }

    /// Returns the table, the failures and the counts of both.
    func report(after elapsed: Duration) -> String {
        let lines = failures.map { "FAILED \($0.suite): \($0.reason)" }
        let short = rows.count { !$0.isHeld }
        let end = ProgressLine.text(
            suite: "\(rows.count) rows, \(short) below their bar, \(failures.count) without a figure", step: "", elapsed: elapsed)
        let tables = (rows.isEmpty ? [] : [BenchmarkTable(rows).description]) + (growth.map { [$0.description] } ?? [])
        return (tables + lines + [end]).joined(separator: "\n")
    }
}

extension BenchmarkRun: JSONEncodable {
    func encode(to json: inout JSONWriter) {
        json.array {
            for row in rows { $0.value(row) }
            growth?.encode(into: &$0)
            for failure in failures {
                $0.object {
                    $0.member("what", failure.suite)
                    $0.member("failure", failure.reason)
                    $0.member("held", false)
                }
            }
        }
    }
}
