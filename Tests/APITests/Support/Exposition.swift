import Testing

/// Metrics parsed from the Prometheus text format, version 0.0.4, with the checks of `promtool check metrics`.
struct Exposition {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct ParseError: Error {
        let line: String
        let reason: String
    }

    private(set) var kinds: [String: String] = [:]
    private(set) var samples: [Sample] = []

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw ParseError(line: "", reason: "the last line does not end") }
        var helped: Set<String> = []
        var closed: Set<String> = []
        var current = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) {
            if line.hasPrefix("# HELP ") {
                let parts = line.dropFirst(7).split(separator: " ", maxSplits: 1)
                guard parts.count == 2, helped.insert(String(parts[0])).inserted else { throw ParseError(line: line, reason: "help") }
                closed.insert(current)
                current = String(parts[0])
                guard !closed.contains(current) else { throw ParseError(line: line, reason: "a metric in two places") }
            } else if line.hasPrefix("# TYPE ") {
                let parts = line.dropFirst(7).split(separator: " ").map(String.init)
                guard parts.count == 2, parts[0] == current, ["counter", "gauge", "histogram", "summary"].contains(parts[1]) else {
                    throw ParseError(line: line, reason: "type")
                }
                kinds[current] = parts[1]
            } else {
                let sample = try Self.sample(line)
                guard Self.family(of: sample.name, kinds) == current else { throw ParseError(line: line, reason: "beside its metric") }
                samples.append(sample)
            }
        }
        try checkNames()
        try checkHistograms()
    }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private static func family(of name: String, _ kinds: [String: String]) -> String {
        for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
            let base = String(name.dropLast(suffix.count))
            if kinds[base] == "histogram" || kinds[base] == "summary" { return base }
        }
        return name
    }

    private static func sample(_ line: String) throws -> Sample {
        let name = line.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        var rest = line[name.endIndex...]
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest.removeFirst()
            while rest.first != "}" {
                guard let equals = rest.firstIndex(of: "=") else { throw ParseError(line: line, reason: "a label") }
                let label = String(rest[..<equals])
                rest = rest[equals...].dropFirst()
                guard labels[label] == nil, rest.first == "\"" else { throw ParseError(line: line, reason: "a label") }
                rest.removeFirst()
                labels[label] = try quoted(&rest, line)
                if rest.first == "," { rest.removeFirst() }
            }
            rest.removeFirst()
        }
        guard !name.isEmpty, rest.first == " ", let value = Double(rest.dropFirst()) else {
            throw ParseError(line: line, reason: "a number")
        }
        return Sample(name: String(name), labels: labels, value: value)
    }

    private static func quoted(_ rest: inout Substring, _ line: String) throws -> String {
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\":
                switch rest.popFirst() {
                case "n": text.append("\n")
                case "\\": text.append("\\")
                case "\"": text.append("\"")
                default: throw ParseError(line: line, reason: "an escape")
                }
            default: text.append(character)
            }
        }
        throw ParseError(line: line, reason: "a label that does not end")
    }

    private func checkNames() throws {
        for (name, kind) in kinds where (kind == "counter") != name.hasSuffix("_total") {
            throw ParseError(line: name, reason: "the name of a \(kind)")
        }
        let keys = samples.map { "\($0.name) \($0.labels.sorted { $0.key < $1.key })" }
        guard Set(keys).count == keys.count else { throw ParseError(line: "", reason: "a series twice") }
    }

    /// Checks that buckets ascend to `+Inf`, which equals the count.
    private func checkHistograms() throws {
        for (name, kind) in kinds where kind == "histogram" {
            for count in samples where count.name == "\(name)_count" {
                let buckets = samples.filter { sample in
                    var labels = sample.labels
                    labels["le"] = nil
                    return sample.name == "\(name)_bucket" && labels == count.labels
                }
                let bounds = buckets.compactMap { $0.labels["le"] }.compactMap { Double($0) }
                guard bounds.count == buckets.count, bounds == bounds.sorted(), bounds.last == .infinity,
                    buckets.map(\.value) == buckets.map(\.value).sorted(), buckets.last?.value == count.value,
                    value("\(name)_sum", count.labels) != nil
                else { throw ParseError(line: name, reason: "its buckets") }
            }
        }
    }
}
