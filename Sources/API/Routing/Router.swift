package import HTTPMessages

/// Finds the route of a request among all there are; a word goes before a parameter in the same place.
package struct Router: Sendable {
    package enum Match: Sendable {
        case found(Route, PathParameters)
        /// There are routes for the path, with other methods.
        case wrongMethod(allowed: [Method])
        case notFound
    }

    private final class Node: Sendable {
        let words: [(word: [UInt8], node: Node)]
        let parameter: Node?
        let routes: [Route]

        init(words: [(word: [UInt8], node: Node)], parameter: Node?, routes: [Route]) {
            self.words = words
            self.parameter = parameter
            self.routes = routes
        }
    }

    package let routes: [Route]
    private let root: Node

    /// Two routes must not be the same but for the names of their parameters.
    package init(_ routes: [Route]) {
        self.routes = routes
        root = Self.node(routes[...].map { ($0.pattern.segments[...], $0) })
    }

    package func match(_ method: Method, _ target: RequestTarget) -> Match {
        var parameters = PathParameters(target)
        guard let node = find(root, target.firstSegment, &parameters) else { return .notFound }
        let wanted = method == .head ? Method.get : method
        guard let route = node.routes.first(where: { $0.method == wanted }) else { return .wrongMethod(allowed: Self.allowed(node.routes)) }
        parameters.names = route.pattern.names
        return .found(route, parameters)
    }

    /// Depth first, the words before the parameter; a path has as many segments as a target has room for, and a tree is as deep as its routes.
    private func find(_ node: Node, _ place: Range<Int>?, _ parameters: inout PathParameters) -> Node? {
        guard let place else { return node.routes.isEmpty ? nil : node }
        let target = parameters.target
        let rest = target.segment(after: place)
        for (word, next) in node.words where target.segment(place, is: word) {
            if let found = find(next, rest, &parameters) { return found }
        }
        guard !place.isEmpty, let next = node.parameter else { return nil }
        parameters.append(place)
        if let found = find(next, rest, &parameters) { return found }
        parameters.removeLast()
        return nil
    }

    private static func node(_ entries: [(rest: ArraySlice<PathPattern.Segment>, route: Route)]) -> Node {
        var words: [String: [(ArraySlice<PathPattern.Segment>, Route)]] = [:]
        var parameters: [(ArraySlice<PathPattern.Segment>, Route)] = []
        var own: [Route] = []
        for (rest, route) in entries {
            switch rest.first {
            case .word(let word): words[word, default: []].append((rest.dropFirst(), route))
            case .parameter: parameters.append((rest.dropFirst(), route))
            case nil:
                precondition(!own.contains { $0.method == route.method }, "\(route.method) \(route.pattern) is there twice")
                precondition(route.pattern.names.count <= PathParameters.limit, "\(route.pattern) has too many parameters")
                own.append(route)
            }
        }
        return Node(
            words: words.sorted { $0.key < $1.key }.map { (Array($0.key.utf8), node($0.value)) },
            parameter: parameters.isEmpty ? nil : node(parameters), routes: own)
    }

    private static func allowed(_ routes: [Route]) -> [Method] {
        let methods = routes.map(\.method)
        return methods + (methods.contains(.get) ? [.head] : []) + (methods.contains(.options) ? [] : [.options])
    }
}
