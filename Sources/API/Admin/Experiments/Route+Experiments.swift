internal import Access
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Publishing
internal import Resolve

extension Route {
    static func experiments(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/experiments", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                return try await request.reading { transaction in
                    AdminResponse(.ok, try ["experiments": try await transaction.experiments.experiments()].json()).response
                }
            },
            admin(.get, "/admin/v1/experiments/{experiment}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let key = try request.experimentKey()
                return try await request.reading { transaction in
                    AdminResponse(try TaggedResource(try await transaction.experiment(key))).response
                }
            },
            admin(.put, "/admin/v1/experiments/{experiment}", .publish, bodyLimit: .standard, service) { request in
                try await request.changeExperiment(.setExperiment, creates: true) { request in .save(try request.experimentBody()) }
            },
            admin(.delete, "/admin/v1/experiments/{experiment}", .publish, service) { request in try await request.deleteExperiment() },
            admin(.post, "/admin/v1/experiments/{experiment}:start", .publish, service) { request in
                try await request.changeExperiment(.startExperiment) { _ in .start }
            },
            admin(.post, "/admin/v1/experiments/{experiment}:conclude", .publish, bodyLimit: .standard, service) { request in
                try await request.changeExperiment(.concludeExperiment) { request in
                    let order: ConclusionRequest = try request.experimentBody()
                    return .conclude(winner: order.winner)
                }
            },
            admin(.post, "/admin/v1/experiments/{experiment}:plan", .read, bodyLimit: .standard, service) { request in
                try await request.planExperiment()
            },
            admin(.get, "/admin/v1/holdout", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                return try await request.reading { transaction in
                    AdminResponse(try TaggedResource(try await transaction.experiments.holdout())).response
                }
            },
            admin(.put, "/admin/v1/holdout", .publish, bodyLimit: .standard, service) { request in try await request.setHoldout() },
        ]
    }
}

extension AdminTransaction {
    fileprivate func experiment(_ key: String) async throws -> RegisteredExperiment {
        guard let experiment = try await experiments.experiment(key) else { throw Problem.unknownExperiment }
        return experiment
    }
}

extension AdminRequest {
    fileprivate func experimentKey() throws(Problem) -> String {
        try context.parameters.value("experiment") { RegisteredExperiment.isKey($0) ? $0 : nil }
    }

    fileprivate func experimentBody<Body: JSONDecodable>() throws(Problem) -> Body {
        do throws(JSONError) { return try Body(parsing: context.request.body) } catch { throw Problem(error) }
    }

    /// Changes an experiment under a lock that excludes all other changes of the registry. The precondition is checked before
    /// the body is read.
    fileprivate func changeExperiment(
        _ action: AuditedChange.Action, creates: Bool = false,
        _ change: @escaping @Sendable (AdminRequest) throws -> ExperimentPlanRequest
    ) async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let key = try experimentKey()
        let condition = try EditPrecondition(of: self, creates: creates)
        return try await changing { transaction in
            try await transaction.experiments.lock(key)
            let before = try await transaction.experiments.experiment(key)
            let present = try before.map { before throws(JSONError) in try TaggedResource(before) }
            if before == nil, !creates { throw Problem.unknownExperiment }
            try condition.check(present)
            let uses = try await transaction.experiments.uses(of: key)
            let after = try change(self).result(of: before, under: key, uses)
            if let present, after == before { return AdminResponse(present) }
            try await transaction.experiments.save(after)
            let state = try TaggedResource(after)
            try await transaction.record(
                AuditedChange(action, of: "experiments/\(key)", from: present?.document, to: state.document))
            return AdminResponse(
                before == nil ? .created : .ok, state.document, tag: state.tag,
                location: before == nil ? "/admin/v1/experiments/\(key)" : nil)
        }
    }

    fileprivate func deleteExperiment() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let key = try experimentKey()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            try await transaction.experiments.lock(key)
            let before = try await transaction.experiment(key)
            let present = try TaggedResource(before)
            try condition.check(present)
            if before.experiment.state == .running {
                throw Problem(
                    .conflict, code: "experimentRunning", detail: "A running experiment cannot be deleted. Conclude it first.")
            }
            let uses = try await transaction.experiments.uses(of: key)
            guard uses.isEmpty else { throw Problem.experimentInUse(by: uses.feeds) }
            try await transaction.experiments.delete(key)
            try await transaction.record(AuditedChange(.deleteExperiment, of: "experiments/\(key)", from: present.document, to: nil))
            return AdminResponse(.noContent)
        }
    }

    /// Returns the places whose clients a change would give another arm.
    fileprivate func planExperiment() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let key = try experimentKey()
        let change: ExperimentPlanRequest = try experimentBody()
        return try await reading { transaction in
            let before = try await transaction.experiments.experiment(key)
            let uses = try await transaction.experiments.uses(of: key)
            let after: RegisteredExperiment
            do {
                after = try change.result(of: before, under: key, uses)
            } catch let error as ExperimentChangeError {
                // The body has the experiment that PUT has as its body.
                throw Problem(error, at: change.isSave ? "/experiment" : "")
            }
            let plan = ExperimentPlan(
                from: before, to: after, holdout: try await transaction.experiments.holdout(), feeds: uses.feeds)
            return AdminResponse(.ok, try plan.json()).response
        }
    }

    fileprivate func setHoldout() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            try await transaction.experiments.lock()
            let before = try await transaction.experiments.holdout()
            let present = try TaggedResource(before)
            try condition.check(present)
            let request: HoldoutRequest = try self.experimentBody()
            let holdout = request.holdout
            guard holdout != before else { return AdminResponse(present) }
            try await transaction.experiments.set(holdout)
            let state = try TaggedResource(holdout)
            try await transaction.record(AuditedChange(.setHoldout, of: "holdout", from: present.document, to: state.document))
            return AdminResponse(state)
        }
    }
}

extension ExperimentPlanRequest {
    fileprivate var isSave: Bool { if case .save = self { true } else { false } }

    /// Returns the experiment after the change. Throws if the present experiment or its uses forbid the change, or if its key
    /// is not that of a new experiment.
    fileprivate func result(
        of before: RegisteredExperiment?, under key: String, _ uses: [ExperimentUse]
    ) throws -> RegisteredExperiment {
        guard let experiment = try applied(to: before?.experiment, under: key, uses) else { throw Problem.unknownExperiment }
        guard before != nil || RegisteredExperiment.isNewKey(key) else {
            throw Problem(parameter: "experiment", "expected a key without a colon, because API paths put a verb after a colon")
        }
        return RegisteredExperiment(key: key, experiment)
    }
}

extension Problem {
    fileprivate static var unknownExperiment: Problem {
        Problem(
            .notFound, code: "unknownExperiment", detail: "The experiment does not exist. Use a key from the list of experiments.",
            see: "/admin/v1/experiments")
    }
}
