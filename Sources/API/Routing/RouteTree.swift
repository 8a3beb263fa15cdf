internal import HTTPMessages

/// The paths of all routes as a tree, in which a word has precedence over a parameter.
///
/// The nodes are in arrays and refer to each other by index, so that a lookup counts no references.
struct RouteTree {
    private struct Node {
        var literals = 0..<0
        var parameter: Int?
        var verbs = 0..<0
        /// The routes whose paths end at this node.
        var routes: [Route] = []
    }

    private struct Literal {
        let letters: Range<Int>
        let node: Int
    }

    private typealias Entry = (rest: ArraySlice<PathPattern.Segment>, route: Route)

    private var nodes: [Node] = []
    private var literals: [Literal] = []
    private var letters: [UInt8] = []

    init(_ routes: [Route]) { _ = add(routes.map { ($0.pattern.segments[...], $0) }) }

    /// Returns the routes of a path, one for each method; an empty array if the path does not exist.
    func routes(for target: RequestTarget, _ ranges: inout PathParameterRanges) -> [Route] {
        find(0, target.firstSegment, of: target, &ranges).map { nodes[$0].routes } ?? []
    }

    /// Searches depth first, words before the parameter. The recursion is as deep as the tree, and thus as the longest
    /// pattern.
    private func find(_ node: Int, _ range: Range<Int>?, of target: RequestTarget, _ ranges: inout PathParameterRanges) -> Int? {
        guard let range else { return nodes[node].routes.isEmpty ? nil : node }
        let rest = target.segment(after: range)
        for number in nodes[node].literals where target.segment(range, is: letters.span.extracting(literals[number].letters)) {
            if let found = find(literals[number].node, rest, of: target, &ranges) { return found }
        }
        for number in nodes[node].verbs {
            let verb = literals[number]
            guard range.count > verb.letters.count, target.segment(range, endsWith: letters.span.extracting(verb.letters)) else { continue }
            ranges.append(range.lowerBound..<(range.upperBound - verb.letters.count))
            if let found = find(verb.node, rest, of: target, &ranges) { return found }
            ranges.removeLast()
        }
        guard !range.isEmpty, let parameter = nodes[node].parameter else { return nil }
        ranges.append(range)
        if let found = find(parameter, rest, of: target, &ranges) { return found }
        ranges.removeLast()
        return nil
    }

    private mutating func add(_ entries: [Entry]) -> Int {
        let node = nodes.count
        nodes.append(Node())
        var byWord: [String: [Entry]] = [:]
        var byVerb: [String: [Entry]] = [:]
        var parameters: [Entry] = []
        for (rest, route) in entries {
            switch rest.first {
            case .word(let word): byWord[word, default: []].append((rest.dropFirst(), route))
            case .verb(let verb, of: _): byVerb[verb, default: []].append((rest.dropFirst(), route))
            case .parameter: parameters.append((rest.dropFirst(), route))
            case nil:
                precondition(
                    !nodes[node].routes.contains { $0.method == route.method }, "\(route.method) \(route.pattern) is defined twice")
                precondition(route.pattern.names.count <= PathParameterRanges.limit, "\(route.pattern) has too many parameters")
                nodes[node].routes.append(route)
            }
        }
        let next = byWord.sorted { $0.key < $1.key }.map { ($0.key, add($0.value)) }
        let verbs = byVerb.sorted { $0.key < $1.key }.map { ($0.key, add($0.value)) }
        if !parameters.isEmpty { nodes[node].parameter = add(parameters) }
        nodes[node].literals = append(next)
        nodes[node].verbs = append(verbs)
        return node
    }

    private mutating func append(_ list: [(String, Int)]) -> Range<Int> {
        let start = literals.count
        for (word, node) in list {
            literals.append(Literal(letters: letters.count..<(letters.count + word.utf8.count), node: node))
            letters.append(contentsOf: word.utf8)
        }
        return start..<literals.count
    }
}
