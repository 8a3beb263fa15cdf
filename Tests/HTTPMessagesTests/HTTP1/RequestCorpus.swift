import Foundation
import TestSupport

/// The file of raw requests, each with a name and its outcome. The file documents its format.
struct RequestCorpus {
    struct Case {
        let name: String
        let source: [Substring]
        let outcomes: [Substring]

        var bytes: [UInt8] { source.flatMap { Escapes($0).bytes } }
    }

    private let preamble: String
    let cases: [Case]

    init(_ text: String) {
        let parts = text.split(separator: "\n## ")
        preamble = (parts.first ?? "").trimmingCharacters(in: .newlines)
        cases = parts.dropFirst().map { part in
            let lines = part.split(separator: "\n")
            let source = lines.dropFirst().filter { !$0.hasPrefix("> ") }
            return Case(
                name: String(lines[0]), source: source, outcomes: lines.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) })
        }
    }

    /// Returns the file with other outcomes.
    func text(outcomes: (Case) -> [String]) -> String {
        let texts = cases.map { ["## \($0.name)"] + $0.source.map(String.init) + outcomes($0).map { "> \($0)" } }
        return ([preamble + "\n"] + texts.map { $0.joined(separator: "\n") + "\n" }).joined(separator: "\n")
    }
}

/// A text with escapes for invisible and repeated bytes.
private struct Escapes {
    private(set) var bytes: [UInt8] = []

    init(_ text: Substring) {
        var rest = text
        while let character = rest.popFirst() {
            if character == "\\" {
                readEscape(&rest)
            } else {
                bytes += String(character).utf8
            }
        }
    }

    private mutating func readEscape(_ rest: inout Substring) {
        switch rest.popFirst() {
        case "r": bytes.append(0x0D)
        case "n": bytes.append(0x0A)
        case "t": bytes.append(0x09)
        case "0": bytes.append(0)
        case "x":
            bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
            rest.removeFirst(2)
        case "(":
            let inside = rest.prefix { $0 != ")" }
            rest.removeFirst(inside.count + 1)
            let parts = inside.split(separator: " ", maxSplits: 1)
            let once = Escapes(parts[1]).bytes
            for _ in 0..<(Int(parts[0]) ?? 0) { bytes += once }
        case let character: bytes += String(character ?? "\\").utf8
        }
    }
}
