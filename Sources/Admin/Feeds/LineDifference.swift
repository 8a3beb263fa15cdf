/// What differs between two texts, line by line, with a few of the lines around.
struct LineDifference: Sendable {
    enum Line: Sendable, Equatable {
        case same(String)
        case removed(String)
        case added(String)
        /// So many lines that are the same.
        case omitted(Int)
    }

    let lines: [Line]

    var isEmpty: Bool { lines.isEmpty }

    /// Takes time and memory by the product of the lines between the first and the last that differ.
    init(from old: [String], to new: [String], context: Int = 2) {
        var head = 0
        while head < old.count, head < new.count, old[head] == new[head] { head += 1 }
        guard head < old.count || head < new.count else {
            lines = []
            return
        }
        var tail = 0
        while tail < old.count - head, tail < new.count - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        let middle = Self.changes(Array(old[head..<(old.count - tail)]), Array(new[head..<(new.count - tail)]))
        lines = Self.shortened(old[..<head].map(Line.same) + middle + old[(old.count - tail)...].map(Line.same), context)
    }

    /// By the longest common subsequence.
    private static func changes(_ old: [String], _ new: [String]) -> [Line] {
        var lengths = Array(repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
        for i in old.indices.reversed() {
            for j in new.indices.reversed() {
                lengths[i][j] = old[i] == new[j] ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
            }
        }
        var (i, j) = (0, 0)
        var lines: [Line] = []
        while i < old.count || j < new.count {
            if i < old.count, j < new.count, old[i] == new[j] {
                lines.append(.same(old[i]))
                (i, j) = (i + 1, j + 1)
            } else if i < old.count, j == new.count || lengths[i + 1][j] >= lengths[i][j + 1] {
                lines.append(.removed(old[i]))
                i += 1
            } else {
                lines.append(.added(new[j]))
                j += 1
            }
        }
        return lines
    }

    private static func shortened(_ lines: [Line], _ context: Int) -> [Line] {
        let changed = lines.indices.filter { if case .same = lines[$0] { false } else { true } }
        var isNear = Array(repeating: false, count: lines.count)
        for index in changed {
            for near in max(0, index - context)...min(lines.count - 1, index + context) { isNear[near] = true }
        }
        var result: [Line] = []
        for (line, isNear) in zip(lines, isNear) {
            if isNear {
                result.append(line)
            } else if case .omitted(let count)? = result.last {
                result[result.count - 1] = .omitted(count + 1)
            } else {
                result.append(.omitted(1))
            }
        }
        return result
    }

    func text(isColored: Bool) -> String {
        let (red, green, dim, plain) = isColored ? ("\u{1B}[31m", "\u{1B}[32m", "\u{1B}[2m", "\u{1B}[0m") : ("", "", "", "")
        return lines.map { line in
            switch line {
            case .same(let text): "  \(text)\n"
            case .removed(let text): "\(red)- \(text)\(plain)\n"
            case .added(let text): "\(green)+ \(text)\(plain)\n"
            case .omitted(let count): "\(dim)  … \(count) the same\(plain)\n"
            }
        }.joined()
    }
}
