import Foundation

/// The metrics and log events that the sources of the program declare, and those that docs/metrics.md lists.
enum Monitoring {
    struct Metric: Hashable {
        let name: String
        let type: String
        let help: String
    }

    static func declaredMetrics() throws -> Set<Metric> {
        var result: Set<Metric> = []
        for source in try sources() {
            let names = source.matches(of: /let (\w+) = "((?:vitrine|process)_[a-z0-9_]+)"/).map { (String($0.1), String($0.2)) }
            let constants = Dictionary(names) { first, _ in first }
            let declaration = /\.(?:single|describe)\(\s*(?:"([a-z0-9_]+)"|(\w+)),\s*\.(counter|gauge|histogram|summary),\s*"([^"]+)"/
            for match in source.matches(of: declaration) {
                let name = match.1.map(String.init) ?? match.2.flatMap { constants[String($0)] }
                if let name { result.insert(Metric(name: name, type: String(match.3), help: String(match.4))) }
            }
        }
        return result
    }

    static func listedMetrics(in text: String) -> Set<Metric> {
        let row = /(?m)^\| `((?:vitrine|process)_[a-z0-9_]+)` \| (\w+) \|[^|]*\| (.+) \|$/
        return Set(text.matches(of: row).map { Metric(name: String($0.1), type: String($0.2), help: String($0.3)) })
    }

    static func declaredEvents() throws -> Set<String> {
        Set(try sources().flatMap { $0.matches(of: /(?:\.record|Observation)\(\s*"([a-z.]+)"/).map { String($0.1) } })
    }

    static func listedEvents(in text: String) -> Set<String> {
        Set(text.matches(of: /(?m)^\| `([a-z]+\.[a-z.]+)` \|/).map { String($0.1) })
    }

    private static func sources() throws -> [String] {
        let folder = Repository.root.appending(path: "Sources")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Benchmarks/") }.map { try Repository.text(of: "Sources/\($0)") }
    }
}
