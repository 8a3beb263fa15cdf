package import JSON
package import Resolve

/// The effect of a change of an experiment on the arms of clients.
package struct ExperimentPlan: Sendable, Equatable {
    /// Adjacent places whose clients change from one arm to another.
    package struct Move: Sendable, Equatable {
        package let places: Range<Int>
        package let from: String
        package let to: String
    }

    /// The experiment before the change, or nil if the change creates it.
    package let before: RegisteredExperiment?
    package let after: RegisteredExperiment
    package let moves: [Move]
    /// The share of all clients that change their arm, in percent. It includes the holdout.
    package let changedPercent: Double
    /// The feeds whose live or scheduled revisions use the experiment.
    package let feeds: [String]

    package init(from before: RegisteredExperiment?, to after: RegisteredExperiment, holdout: Holdout?, feeds: [String]) {
        self.before = before
        self.after = after
        self.feeds = feeds
        guard let old = before?.experiment, case let new = after.experiment else {
            moves = []
            changedPercent = 0
            return
        }
        let share = holdout?.share ?? 0
        // The places of a client for two salts are independent. For the same salt they are equal, so the holdout has the first ones.
        let isShared = holdout?.salt == new.salt
        func arm(of experiment: Experiment, at place: Int) -> String {
            isShared && place < share ? experiment.heldOutArm : experiment.visibleArm(at: place)
        }
        var moves: [Move] = []
        for place in 0..<Place.count {
            let (from, to) = (arm(of: old, at: place), arm(of: new, at: place))
            guard from != to else { continue }
            if let last = moves.last, last.places.upperBound == place, last.from == from, last.to == to {
                moves[moves.count - 1] = Move(places: last.places.lowerBound..<(place + 1), from: from, to: to)
            } else {
                moves.append(Move(places: place..<(place + 1), from: from, to: to))
            }
        }
        self.moves = moves
        let moved = moves.reduce(0) { $0 + $1.places.count }
        let heldOut = old.heldOutArm == new.heldOutArm ? 0 : share * Place.count
        changedPercent = isShared ? Double(moved) : Double(moved * (Place.count - share) + heldOut) / Double(Place.count)
    }
}

extension Experiment {
    /// The arm of a client that is not in the holdout.
    fileprivate func visibleArm(at place: Int) -> String { state == .running ? arm(at: place) : heldOutArm }

    /// The arm of a client in the holdout.
    fileprivate var heldOutArm: String { state.winner ?? defaultArm }
}

extension ExperimentPlan: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        before = object.optional("before")
        after = try object.value("after")
        moves = try object.value("moves")
        changedPercent = try object.value("changedPercent")
        feeds = object.value("feeds", default: [])
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("before", before)
        json.member("after", after)
        json.member("moves", moves)
        json.member("changedPercent", changedPercent)
        json.member("feeds", feeds)
    }
}

extension ExperimentPlan.Move: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let places: PlaceRange = try object.value("places")
        self.places = places.range
        from = try object.value("from")
        to = try object.value("to")
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("places", PlaceRange(places))
        json.member("from", from)
        json.member("to", to)
    }
}
