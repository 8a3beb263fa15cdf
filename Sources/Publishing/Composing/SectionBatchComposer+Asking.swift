internal import Feeds
internal import Postgres
internal import Values

extension SectionBatchComposer {
    /// The maximum number of rules in a round trip. The time budget is checked between round trips.
    private static let maxAtOnce = 8

    /// The responses of the catalog. A task without a response has a failure.
    struct Replies {
        /// The candidates of each query, in the order of the queries.
        var lists: [FoundCandidates]
        /// The failures, by the index of the task.
        var failures: [Int: RuleFailure] = [:]

        /// Notes that a query took too long. Only the tasks that need the most items of it are slow. The others run without them in
        /// the next drain.
        mutating func fail(_ query: CandidateQuery) {
            for task in query.tasks where failures[task] == nil { failures[task] = .skipped }
            for task in query.largestTasks { failures[task] = .timeout }
        }
    }

    private enum Reply {
        case lists([FoundCandidates])
        /// A rule took too long. The index is that of its query, or nil if it is unknown.
        case timeout(Int?)
        case outOfTime
    }

    /// Runs several queries at the same time, and repeats them without each one that takes too long. Queries that are
    /// known to be slow run last, each alone.
    func replies(to queries: [CandidateQuery], of tasks: [Task], _ timeout: inout RuleTimeBudget) async throws(PostgresError) -> Replies {
        var replies = Replies(lists: Array(repeating: FoundCandidates(), count: queries.count))
        let trusted = queries.indices.filter { isTrusted(queries[$0], tasks, timeout) }
        try await fetchCandidates(trusted, of: queries, tasks, &replies, &timeout)
        let untrusted = Dictionary(grouping: queries.indices.filter { !isTrusted(queries[$0], tasks, timeout) }) { queries[$0].tasks }
        for (users, indexes) in untrusted.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            var waiting = indexes[...]
            while !waiting.isEmpty, users.contains(where: { replies.failures[$0] == nil }) {
                let together = waiting.prefix(batchSize(timeout))
                waiting = waiting.dropFirst(together.count)
                switch try await reply(to: together.map { queries[$0].request }, &timeout) {
                case .lists(let lists): for (index, list) in zip(together, lists) { replies.lists[index] = list }
                case .timeout: for query in together { replies.fail(queries[query]) }
                case .outOfTime: for user in users { replies.failures[user] = .skipped }
                }
            }
        }
        return replies
    }

    private func fetchCandidates(
        _ indexes: [Int], of queries: [CandidateQuery], _ tasks: [Task], _ replies: inout Replies, _ timeout: inout RuleTimeBudget
    ) async throws(PostgresError) {
        var waiting = indexes[...]
        while !waiting.isEmpty {
            let together = Array(waiting.prefix(batchSize(timeout)))
            switch try await reply(to: together.map { queries[$0].request }, &timeout) {
            case .lists(let lists):
                for (index, list) in zip(together, lists) { replies.lists[index] = list }
                waiting.removeFirst(together.count)
            case .timeout(let index?):
                let slow = queries[together[index]]
                replies.fail(slow)
                for task in slow.largestTasks { timeout.note(tasks[task].selection) }
                waiting.removeAll { !isTrusted(queries[$0], tasks, timeout) }
            case .timeout(nil), .outOfTime:
                for user in together.flatMap({ queries[$0].tasks }) { replies.failures[user] = .skipped }
                waiting.removeFirst(together.count)
            }
        }
    }

    private func batchSize(_ timeout: RuleTimeBudget) -> Int {
        endsInTime ? timeout.count(atMost: Self.maxAtOnce) : Self.maxAtOnce
    }

    private func isTrusted(_ query: CandidateQuery, _ tasks: [Task], _ timeout: RuleTimeBudget) -> Bool {
        query.tasks.allSatisfy { tasks[$0].attempt == .withOthers && !timeout.slow.contains(tasks[$0].selection) }
    }

    private func reply(to requests: [CandidateRequest], _ timeout: inout RuleTimeBudget) async throws(PostgresError) -> Reply {
        guard !timeout.isOver else { return .outOfTime }
        let start = ContinuousClock.now
        defer { timeout.record(requests.count, in: ContinuousClock.now - start) }
        do throws(PostgresError) {
            var reader = CandidateReader(at: time, eachWithin: ruleTime, session)
            reader.hasSavepoints = true
            return .lists(try await reader.find(requests))
        } catch {
            guard error.sqlState == .queryCanceled else { throw error }
            try await session.run([PostgresQuery(RuleQueries.rollBack), PostgresQuery(RuleQueries.release)])
            timeout.spend()
            return .timeout(error.position)
        }
    }
}
