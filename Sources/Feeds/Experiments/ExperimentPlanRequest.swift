package import JSON
package import Resolve

/// The body of a request for the plan of a change of an experiment.
package enum ExperimentPlanRequest: Sendable, Equatable {
    case save(ExperimentRequest)
    case start
    case conclude(winner: String)

    /// Returns the experiment after the change, or nil if an experiment that does not exist would start or end. Throws if the
    /// experiment or its uses forbid the change.
    package func applied(
        to present: Experiment?, under key: String, _ uses: [ExperimentUse] = []
    ) throws(ExperimentChangeError) -> Experiment? {
        switch self {
        case .save(let request): try request.applied(to: present, under: key, uses)
        case .start: try present?.started()
        case .conclude(let winner): try present?.concluded(winner: winner)
        }
    }
}

/// The body of a request that concludes an experiment.
package struct ConclusionRequest: Sendable, Equatable {
    package let winner: String

    package init(winner: String) { self.winner = winner }
}

extension ConclusionRequest: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) { winner = try object.value("winner") }

    package func encodeMembers(to json: inout JSONWriter) { json.member("winner", winner) }
}

extension ExperimentPlanRequest: JSONDecodable, JSONObjectEncodable {
    private enum Action: String, CaseIterable, JSONDecodable, JSONEncodable { case save, start, conclude }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let action = object.required("action", as: Action.self)
        let request = object.optional("experiment", as: ExperimentRequest.self)
        let winner = object.optional("winner", as: String.self)
        try object.finish()
        switch try action() {
        case .start: self = .start
        case .save:
            guard let request else { throw object.refuse(.missingKey, at: "experiment", "the experiment to save is missing") }
            self = .save(request)
        case .conclude:
            guard let winner else { throw object.refuse(.missingKey, at: "winner", "the winner is missing") }
            self = .conclude(winner: winner)
        }
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .save(let request):
            json.member("action", Action.save)
            json.member("experiment", request)
        case .start: json.member("action", Action.start)
        case .conclude(let winner):
            json.member("action", Action.conclude)
            json.member("winner", winner)
        }
    }
}
