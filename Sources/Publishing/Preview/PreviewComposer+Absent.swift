internal import Feeds
internal import Items
internal import Postgres
internal import Values

extension PreviewComposer {
    /// Below that, nothing is asked any more.
    private static var leastTime: Duration { .milliseconds(10) }

    /// What the rule of a section would find if it were in the storefront at the moment: the first of a chart that orders the section, the best
    /// rated elsewhere, and of all pins as many more. Each section has half of the time that those before have left until the end.
    func candidates(
        absentFor answer: SectionBatchComposer.Answer, on stage: Stage, until end: ContinuousClock.Instant
    ) async throws(PostgresError) -> (found: [Candidate], lack: RuleFailure?) {
        let section = answer.task.section
        guard answer.lack == nil, let form = section.rule.flatMap({ answer.context.normalForm(of: $0) }) else { return ([], answer.lack) }
        let time = min(ruleTime, (end - .now) / 2)
        guard time >= Self.leastTime else { return ([], .notAsked) }
        let storefront = answer.context.storefront
        var chart: String?
        if case .chart(let name) = section.sort { chart = name }
        let query = PostgresQuery(
            RuleQueries.absent, storefront.key, storefront.scopes, stage.moment, form.conditions,
            section.exclusions.compactMap { stage.references[$0] }, chart, Self.mostNext + section.pins.count)
        try await session.run(PostgresQuery(RuleQueries.savepoint))
        do throws(PostgresError) {
            let reader = CandidateReader(at: stage.moment, eachWithin: time, session)
            let rows = try await reader.answers([query], of: [0])[0].rows(
                as: UUID?.self, String?.self, [String]?.self, Int?.self, Int?.self, CalendarDay?.self, Int?.self, Int?.self, Int32?.self)
            try await session.run(PostgresQuery(RuleQueries.release))
            let found = rows.compactMap { row in
                ItemFacts((row.0, row.1, row.2, row.3, row.4, row.5, row.6, row.7)).map { Candidate(facts: $0, rank: row.8.map(Int.init)) }
            }
            return (found, nil)
        } catch {
            guard error.sqlState == .queryCanceled else { throw error }
            try await session.run([PostgresQuery(RuleQueries.rollBack), PostgresQuery(RuleQueries.release)])
            return ([], .tooSlow)
        }
    }
}
