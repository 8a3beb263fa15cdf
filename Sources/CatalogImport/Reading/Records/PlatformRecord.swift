internal import Items
package import JSON
internal import Values

/// A platform of clients.
package struct PlatformRecord: Sendable, Equatable {
    package let key: String
    /// The platforms whose items a client on this platform can run: the platform itself, then the others sorted by key.
    package let runs: [String]
    /// Whether sections are composed so that they have enough items for clients on this platform.
    package let isServed: Bool
    /// The platforms as a request lists them, which the pointers of issues name.
    private let given: [String]

    /// Creates a record. `runs` may omit the platform itself.
    package init(key: String, runs: [String] = [], isServed: Bool = true) {
        self.key = key
        self.runs = [key] + runs.filter { $0 != key }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.isServed = isServed
        given = runs
    }

    package static func == (a: Self, b: Self) -> Bool { (a.key, a.runs, a.isServed) == (b.key, b.runs, b.isServed) }

    init(reading object: inout JSONObjectReader) throws(JSONReadError) {
        let key = object.required("key", .slug)
        let runs = object.optional("runs", each: .slug, 0...20, "platforms") ?? []
        let isServed = object.value("served", default: true)
        try object.finish()
        self.init(key: try key(), runs: runs, isServed: isServed)
        guard self.runs.count <= 20 else {
            throw object.refuse(.invalidCount, at: "runs", "expected up to 20 platforms, including the platform itself")
        }
    }

    /// Returns an issue for each platform that this one cannot run: it does not exist, or it runs this one.
    func issues(among platforms: [PlatformRecord]) -> [Vocabulary.Issue] {
        let others = platforms.filter { $0.key != key }
        return given.enumerated().filter { $0.element != key }.compactMap { index, platform in
            let pointer = JSONPointer(tokens: ["runs", "\(index)"])
            guard others.contains(where: { $0.key == platform }) else {
                let suggestion = platform.nearest(among: others.map(\.key)).map { "; did you mean \($0)?" } ?? ""
                return Vocabulary.Issue(
                    pointer: pointer, code: .unknownReference, reason: "the platform \(platform) does not exist\(suggestion)")
            }
            return Self.path(from: platform, to: key, among: others).map { path in
                let steps = zip(path, path.dropFirst()).map { "\($0) runs \($1)" }.joined(separator: " and ")
                return Vocabulary.Issue(
                    pointer: pointer, code: .constraintViolation, reason: "\(steps), so \(key) cannot run \(platform)")
            }
        }
    }

    /// Returns the shortest path on which each platform runs the next one; nil if no path exists.
    private static func path(from start: String, to end: String, among platforms: [PlatformRecord]) -> [String]? {
        var paths = [[start]]
        var visited: Set<String> = [start]
        while !paths.isEmpty {
            var longer: [[String]] = []
            for path in paths {
                let last = path[path.count - 1]
                if last == end { return path }
                let next = platforms.first { $0.key == last }?.runs ?? []
                for platform in next where visited.insert(platform).inserted { longer.append(path + [platform]) }
            }
            paths = longer
        }
        return nil
    }
}

extension PlatformRecord: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("kind", "platform")
        json.member("key", key)
        json.member("runs", runs)
        json.member("served", isServed)
    }
}
