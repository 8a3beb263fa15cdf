package import JSON
package import Resolve
internal import Values

/// The body of a request that saves an experiment: its salt, its arms and its default.
///
/// The experiment as GET returns it is a valid body. The key, the state and the winner in it must be the present ones.
package struct ExperimentRequest: Sendable, Equatable {
    /// The salt. Default: the present salt, or the key of a new experiment.
    package let salt: String?
    package let arms: [String: [Range<Int>]]
    package let defaultArm: String
    package let key: String?
    package let state: String?
    package let winner: String?

    package init(salt: String?, arms: [String: [Range<Int>]], defaultArm: String) {
        (self.salt, self.arms, self.defaultArm) = (salt, arms, defaultArm)
        (key, state, winner) = (nil, nil, nil)
    }

    /// Returns the experiment with the new values under a key. Throws if the present experiment or its uses forbid the
    /// change.
    package func applied(
        to present: Experiment?, under key: String, _ uses: [ExperimentUse] = []
    ) throws(ExperimentChangeError) -> Experiment {
        if let named = self.key, named != key { throw .mismatch("experiment") }
        if let state, state != (present?.state ?? .draft).name { throw .mismatch("state") }
        if let winner, winner != present?.state.winner { throw .mismatch("winner") }
        let salt = self.salt ?? present?.salt ?? key
        guard let after = Experiment(salt: salt, arms: arms, defaultArm: defaultArm, state: present?.state ?? .draft) else {
            throw .fixed("arms")
        }
        guard let present, after != present else { return after }
        guard present.state != .draft else {
            let lost = uses.filter { present.arms[$0.arm] != nil && arms[$0.arm] == nil }
            guard lost.isEmpty else { throw .inUse(arms: Set(lost.map(\.arm)).sorted(), feeds: lost.feeds) }
            return after
        }
        if case .concluded = present.state { throw .concluded }
        if salt != present.salt { throw .fixed("salt") }
        if Set(arms.keys) != Set(present.arms.keys) { throw .fixed("arms") }
        if defaultArm != present.defaultArm { throw .fixed("default") }
        return after
    }
}

/// The reason why an experiment cannot change as requested.
package enum ExperimentChangeError: Error, Equatable {
    /// A member of the request differs from the experiment, and a request cannot change it.
    case mismatch(String)
    /// A member cannot change while the experiment runs.
    case fixed(String)
    /// The draft would lose arms that live or scheduled revisions of these feeds name.
    case inUse(arms: [String], feeds: [String])
    /// The experiment has ended.
    case concluded
    /// Only a running experiment has a winner.
    case notRunning
    case unknownArm(String)
}

extension Experiment {
    /// Returns the running experiment.
    package func started() throws(ExperimentChangeError) -> Experiment {
        if case .concluded = state { throw .concluded }
        return with(.running)
    }

    /// Returns the experiment with its end: each client has the winner.
    package func concluded(winner: String) throws(ExperimentChangeError) -> Experiment {
        guard arms[winner] != nil else { throw .unknownArm(winner) }
        switch state {
        case .draft: throw .notRunning
        case .concluded(let present) where present != winner: throw .concluded
        case .running, .concluded: return with(.concluded(winner: winner))
        }
    }

    private func with(_ state: State) -> Experiment {
        Experiment(salt: salt, arms: arms, defaultArm: defaultArm, state: state) ?? self
    }
}

extension Experiment.State {
    package var name: String {
        switch self {
        case .draft: "draft"
        case .running: "running"
        case .concluded: "concluded"
        }
    }

    package var winner: String? { if case .concluded(let winner) = self { winner } else { nil } }
}

// MARK: JSON

extension ExperimentRequest: JSONDecodable, JSONObjectEncodable {
    /// The maximum number of arms. Each place can have its own.
    private static let maxArms = Place.count

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let salt = object.optional("salt") { salt throws(JSONReadError) in try salt.identifier(.name) }
        let arms = object.required("arms") { arms throws(JSONReadError) in try Self.arms(arms) }
        let defaultArm = object.required("default") { arm throws(JSONReadError) in try arm.identifier(.name) }
        key = object.optional("experiment")
        state = object.optional("state")
        winner = object.optional("winner")
        try object.finish()
        guard let arms, let defaultArm else { throw object.refuse(.missingKey, at: "arms", "the arms or the default are missing") }
        guard arms[defaultArm] != nil else {
            throw object.refuse(
                .invalidChoice, at: "default", "expected one of the arms, which are \(arms.keys.sorted().joined(separator: ", "))")
        }
        (self.salt, self.arms, self.defaultArm) = (salt, arms, defaultArm)
    }

    private static func arms(_ json: JSONReader) throws(JSONReadError) -> [String: [Range<Int>]] {
        var arms: [String: [Range<Int>]] = [:]
        for arm in try json.values() {
            guard IdentifierFormat.name.fits(arm.key) else {
                throw arm.refuse(.invalidFormat, "the name of an arm has \(IdentifierFormat.name.expected)")
            }
            arms[arm.key] = try arm.decode(as: [PlaceRange].self).map(\.range)
        }
        guard 1...maxArms ~= arms.count else { throw json.refuse(.invalidCount, "expected 1 to \(maxArms) arms") }
        if let gap = ExperimentCoverage(of: arms).description {
            throw json.refuse(.outOfRange, gap, hint: "together, the ranges of all arms must cover each place from 0 to 99 exactly once")
        }
        return arms
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("salt", salt)
        json.member("arms", arms.mapValues { $0.map(PlaceRange.init) })
        json.member("default", defaultArm)
    }
}

/// The places that have no arm or several.
struct ExperimentCoverage {
    private let wrong: (places: ClosedRange<Int>, arms: [String])?

    init(of arms: [String: [Range<Int>]]) {
        let names = (0..<Place.count).map { place in
            arms.filter { $0.value.contains { $0.contains(place) } }.flatMap { arm in
                arm.value.filter { $0.contains(place) }.map { _ in arm.key }
            }.sorted()
        }
        guard let first = names.firstIndex(where: { $0.count != 1 }) else {
            wrong = nil
            return
        }
        let end = names[first...].firstIndex { $0 != names[first] } ?? Place.count
        wrong = (first...(end - 1), names[first])
    }

    /// The first places that have no arm or several, or nil if each has one.
    var description: String? {
        guard let wrong else { return nil }
        let places =
            wrong.places.count == 1 ? "place \(wrong.places.lowerBound)" : "places \(wrong.places.lowerBound) to \(wrong.places.upperBound)"
        let have = wrong.places.count == 1 ? "has" : "have"
        return "the \(places) \(have) \(wrong.arms.isEmpty ? "no arm" : "several arms: \(wrong.arms.joined(separator: ", "))")"
    }
}
