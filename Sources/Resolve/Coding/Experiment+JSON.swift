package import JSON

extension Experiment: JSONObjectDecodable, JSONObjectEncodable {
    private enum StateName: String, CaseIterable, JSONDecodable, JSONEncodable { case draft, running, concluded }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let salt = object.required("salt", as: String.self)
        let arms = object.required("arms", as: [String: [PlaceRange]].self)
        let defaultArm = object.required("default", as: String.self)
        let name = object.required("state", as: StateName.self)
        let winner = name.value == .concluded ? object.required("winner", as: String.self).value : nil
        let ranges = try arms().mapValues { $0.map(\.range) }
        let state: State
        switch try name() {
        case .draft: state = .draft
        case .running: state = .running
        case .concluded:
            guard let winner else { throw object.refuse(.missingKey, at: "winner", "a concluded experiment has a winner") }
            state = .concluded(winner: winner)
        }
        guard let experiment = Experiment(salt: try salt(), arms: ranges, defaultArm: try defaultArm(), state: state) else {
            throw object.refuse(
                .invalidChoice, at: "arms",
                "expected ranges that cover 0 to \(Place.count) exactly once, among them those of the default and of the winner")
        }
        self = experiment
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("salt", salt)
        json.member("arms", arms.mapValues { $0.map(PlaceRange.init) })
        json.member("default", defaultArm)
        switch state {
        case .draft: json.member("state", StateName.draft)
        case .running: json.member("state", StateName.running)
        case .concluded(let winner):
            json.member("state", StateName.concluded)
            json.member("winner", winner)
        }
    }
}

/// The places from one number up to, but not including, another, as an array of the two.
package struct PlaceRange: Sendable, Hashable, JSONDecodable, JSONEncodable {
    package let range: Range<Int>

    package init(_ range: Range<Int>) { self.range = range }

    package init(from json: JSONReader) throws(JSONReadError) {
        let bounds = try json.decode(as: [Int].self)
        guard bounds.count == 2, 0 <= bounds[0], bounds[0] < bounds[1], bounds[1] <= Place.count else {
            throw json.refuse(.outOfRange, "expected two numbers from 0 to \(Place.count), the smaller one first")
        }
        range = bounds[0]..<bounds[1]
    }

    package func encode(to json: inout JSONWriter) { json.value([range.lowerBound, range.upperBound]) }
}

extension Holdout: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let salt = object.required("salt", as: String.self)
        let share = object.required("share", as: Int.self, .in(0...Place.count))
        self.init(salt: try salt(), share: try share())
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("salt", salt)
        json.member("share", share)
    }
}
