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
            try await transaction.experiments.lock()
            let before = try await transaction.experiments.experiment(key)
            let present = try before.map { before throws(JSONError) in try TaggedResource(before) }
            if before == nil, !creates { throw Problem.unknownExperiment }
            try condition.check(present)
            guard let experiment = try change(self).applied(to: before?.experiment, under: key) else {
                throw Problem.unknownExperiment
            }
            let after = RegisteredExperiment(key: key, experiment)
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
            try await transaction.experiments.lock()
            let before = try await transaction.experiment(key)
            let present = try TaggedResource(before)
            try condition.check(present)
            if before.experiment.state == .running {
                throw Problem(
                    .conflict, code: "experimentRunning", detail: "A running experiment cannot be deleted. Conclude it first.")
            }
            let feeds = try await transaction.experiments.feeds(with: key)
            guard feeds.isEmpty else { throw Problem.experimentInUse(by: feeds) }
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
            guard let after = try change.applied(to: before?.experiment, under: key) else { throw Problem.unknownExperiment }
            let plan = ExperimentPlan(
                from: before, to: RegisteredExperiment(key: key, after), holdout: try await transaction.experiments.holdout(),
                feeds: try await transaction.experiments.feeds(with: key))
            return AdminResponse(.ok, try plan.json()).response
        }
    }

    private func holdout() throws(Problem) -> Holdout {
        let holdout: Holdout = try experimentBody()
        guard RegisteredExperiment.isKey(holdout.salt) else {
            var problem = Problem(
                .unprocessableContent, code: "invalidDocument",
                detail: "The document is invalid. Correct the listed fields, then send the document again.")
            problem.issues = [.init(pointer: "/salt", message: "expected 1 to 64 letters, digits, dots, colons, hyphens and underscores")]
            throw problem
        }
        return holdout
    }

    fileprivate func setHoldout() async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            try await transaction.experiments.lock()
            let before = try await transaction.experiments.holdout()
            let present = try TaggedResource(before)
            try condition.check(present)
            let holdout = try self.holdout()
            guard holdout != before else { return AdminResponse(present) }
            try await transaction.experiments.set(holdout)
            let state = try TaggedResource(holdout)
            try await transaction.record(AuditedChange(.setHoldout, of: "holdout", from: present.document, to: state.document))
            return AdminResponse(state)
        }
    }
}

extension Problem {
    fileprivate static var unknownExperiment: Problem {
        Problem(
            .notFound, code: "unknownExperiment", detail: "The experiment does not exist. Use a key from the list of experiments.",
            see: "/admin/v1/experiments")
    }

    fileprivate static func experimentInUse(by feeds: [String]) -> Problem {
        Problem(
            .conflict, code: "experimentInUse",
            detail:
                "Live or scheduled revisions of \(feeds.map { "'\($0)'" }.joined(separator: ", ")) use the experiment. Publish revisions without it first."
        )
    }
}
