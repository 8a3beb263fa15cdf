internal import Arguments
internal import Feeds
internal import HTTPMessages
import Host
internal import JSON
internal import Resolve
internal import Values

/// `vitrine experiment`: the registry of experiments.
struct ExperimentCommands {
    let console: Console

    var command: Command {
        Command(
            "experiment", "Manage experiments",
            discussion: """
                An experiment gives each client exactly one of its arms. Sections and pins name arms in their targets. Each client with an \
                ID has a place from 0 to 99, which decides its arm. While an experiment runs, only the places of its arms can change. A \
                concluded experiment cannot change.
                """,
            examples: [
                Example("vitrine experiment ls", "List the experiments with their states."),
                Example("vitrine experiment set weekend --arm control=0-49 --arm pairs=50-99", "Create an experiment with two halves."),
                Example("vitrine experiment start weekend --yes", "Start the experiment without a confirmation."),
                Example("vitrine experiment conclude weekend --winner pairs", "Give every client the arm 'pairs'."),
            ],
            subcommands: [list, show, set, start, conclude, holdout])
    }

    // MARK: Reading

    private static let experiment = Argument("EXPERIMENT", .text.completed(by: RemoteCompletions.experiments), "The key of the experiment.")

    private var list: Command {
        Command(
            "ls", "List experiments",
            examples: [
                Example("vitrine experiment ls", "List the experiments with their states."),
                Example("vitrine experiment ls -o json", "List the experiments as JSON."),
            ],
            options: [ListFormat.option] + RemoteSession.options
        ) { invocation in
            let page = try RemoteSession(console: console).run(invocation) { server in
                try await server.page("experiments", "experiments", of: RegisteredExperiment.self)
            }
            try ListPage(elements: page.elements, columns: Self.columns, name: { $0.key }).print(as: invocation[ListFormat.option])
            return .ok
        }
    }

    private static let columns: [ListPage<RemoteValue<RegisteredExperiment>>.Column] = [
        .init(title: "EXPERIMENT") { $0.key.printable() }, .init(title: "STATE") { $0.experiment.state.name },
        .init(title: "ARMS") { ExperimentText.arms(of: $0.experiment) }, .init(title: "DEFAULT") { $0.experiment.defaultArm.printable() },
        .init(title: "WINNER") { $0.experiment.state.winner?.printable() ?? "" },
        .init(title: "SALT", isWide: true) { $0.experiment.salt.printable() },
    ]

    private var show: Command {
        Command(
            "show", "Show an experiment",
            examples: [
                Example("vitrine experiment show weekend", "Show the arms with their places."),
                Example("vitrine experiment show weekend -o json", "Show the experiment as JSON."),
            ],
            arguments: [Self.experiment], options: [OutputFormat.option] + RemoteSession.options
        ) { invocation in
            let key = try Self.key(invocation)
            let response = try RemoteSession(console: console).run(invocation) { try await $0.state("experiments/\(key.path)") }
            let registered: RegisteredExperiment = try response.value()
            try print(response, ExperimentText.text(of: registered), invocation)
            return .ok
        }
    }

    // MARK: Changing

    private static let arms = Option(
        repeating: "arm", .text.named("ARM=PLACES"),
        "An arm with its places, such as control=0-39,90-99. Each place from 0 to 99 must be in exactly one arm.")
    private static let defaultArm = Option(
        "default", .name.named("ARM").completed(by: RemoteCompletions.arms),
        "The arm of clients without an ID, of clients in the holdout, and of all clients before the start. "
            + "Default: the current default, or the first arm.")
    private static let salt = Option(
        "salt", .name, "A text that, together with the ID of a client, decides the client's place. Default: the current salt, or the key.")
    private static let winner = Option(
        required: "winner", .name.named("ARM").completed(by: RemoteCompletions.arms), "The arm that every client gets.")
    private static let options: [any OptionDeclaring] =
        [Console.dryRun, Console.agreement, OutputFormat.option] + RemoteSession.options

    private var set: Command {
        Command(
            "set", "Create or change an experiment",
            discussion: """
                Each client with an ID has a place from 0 to 99, which decides its arm. Name all arms, not only those that change. If the \
                experiment is running, the command lists the places whose clients change their arm, and asks for confirmation.
                """,
            examples: [
                Example("vitrine experiment set weekend --arm control=0-49 --arm pairs=50-99", "Create an experiment with two halves."),
                Example(
                    "vitrine experiment set weekend --arm control=0-89 --arm pairs=90-99 --dry-run",
                    "Show the places whose clients would change their arm."),
            ],
            arguments: [Self.experiment], options: [Self.arms, Self.defaultArm, Self.salt] + Self.options
        ) { invocation in
            let arms = try invocation[Self.arms].map { try ArmOption($0, invocation) }
            guard !arms.isEmpty else { throw invocation.usageError("missing option '--arm'") }
            guard Set(arms.map(\.name)).count == arms.count else { throw invocation.usageError("option '--arm' names an arm twice") }
            return try change(invocation, "Change", "Saved", asksAlways: false) { present in
                ExperimentPlanRequest.save(
                    ExperimentRequest(
                        salt: invocation[Self.salt], arms: Dictionary(uniqueKeysWithValues: arms.map { ($0.name, $0.places) }),
                        defaultArm: invocation[Self.defaultArm] ?? present?.defaultArm ?? arms[0].name))
            }
        }
    }

    private var start: Command {
        Command(
            "start", "Start an experiment",
            discussion: """
                An experiment compares variants of a feed, which are called arms. Before the start, every client has the default arm. After \
                the start, the ID of a client decides its place, a number from 0 to 99, and the place decides its arm. Clients without an \
                ID keep the default arm, and so does the holdout, which is a share of all clients. After the start, only the places of the \
                arms can change.
                """,
            examples: [
                Example("vitrine experiment start weekend", "Show the effect and start after a confirmation."),
                Example("vitrine experiment start weekend --dry-run", "Show the effect."),
            ],
            arguments: [Self.experiment], options: Self.options
        ) { invocation in try change(invocation, "Start", "Started") { _ in .start } }
    }

    private var conclude: Command {
        Command(
            "conclude", "End an experiment with a winner",
            discussion: """
                Every client gets the winner, even a client in the holdout. A concluded experiment cannot be changed or started again.
                """,
            examples: [
                Example("vitrine experiment conclude weekend --winner pairs", "Show the effect and conclude after a confirmation."),
                Example("vitrine experiment conclude weekend --winner pairs --yes -o json", "Conclude and print the experiment as JSON."),
            ],
            arguments: [Self.experiment], options: [Self.winner] + Self.options
        ) { invocation in
            let winner = invocation[Self.winner]
            return try change(invocation, "Conclude", "Concluded") { _ in .conclude(winner: winner) }
        }
    }

    /// Shows the plan of a change, asks for a confirmation, and carries it out on the state that it was planned on.
    private func change(
        _ invocation: Invocation, _ verb: String, _ done: String, asksAlways: Bool = true,
        _ request: @escaping @Sendable (Experiment?) -> ExperimentPlanRequest
    ) throws -> ExitCode {
        let key = try Self.key(invocation)
        let session = RemoteSession(console: console)
        let (tag, planned, order) = try session.run(invocation) { server in
            let present = try await server.experiment(key)
            let order = request(try present?.value(of: RegisteredExperiment.self).experiment)
            return (try present?.condition, try await server.send(.post, "experiments/\(key.path):plan", body: order.json()), order)
        }
        let plan: ExperimentPlan = try planned.value()
        let isTable = invocation[OutputFormat.option] == .table
        if invocation[Console.dryRun] {
            try print(planned, ExperimentText.text(of: plan), invocation)
            console.printStatus(Console.noChanges)
            return .ok
        }
        guard plan.before != plan.after else {
            console.printStatus("No changes: experiment '\(key.text)' has these values already.\n")
            if !isTable { try console.printJSON(plan.after) }
            return .ok
        }
        if asksAlways || !plan.moves.isEmpty {
            if console.needsConfirmation(invocation) { console.printStatus(ExperimentText.text(of: plan)) }
            guard try console.confirm("\(verb) experiment '\(key.text)'?", invocation) else { return .failed }
        }
        let response = try session.run(invocation) { server in
            let condition = tag.map { AdminClient.Condition.state($0) } ?? .absence
            switch order {
            case .save(let experiment):
                return try await server.send(.put, "experiments/\(key.path)", [], condition, body: experiment.json())
            case .start: return try await server.send(.post, "experiments/\(key.path):start", [], condition)
            case .conclude(let winner):
                return try await server.send(
                    .post, "experiments/\(key.path):conclude", [], condition, body: ConclusionRequest(winner: winner).json())
            }
        }
        try print(response, "\(done) experiment '\(key.text)'.\n", invocation)
        return .ok
    }

    // MARK: Holdout

    private static let share = Option(
        "share", .integer(in: 0...100).named("PERCENT"), "The share of all clients. Default: the current share.")
    private static let holdoutSalt = Option(
        "salt", .name, "A text that, together with the ID of a client, decides the client's place. Default: the current salt.")

    private var holdout: Command {
        Command(
            "holdout", "Show or change the holdout",
            discussion: "The holdout is a share of all clients that has the default arm of every running experiment.",
            examples: [
                Example("vitrine experiment holdout", "Show the holdout."),
                Example("vitrine experiment holdout --share 5 --salt h-2026", "Keep 5 percent of all clients out of experiments."),
            ],
            options: [Self.share, Self.holdoutSalt] + Self.options
        ) { invocation in
            let session = RemoteSession(console: console)
            let (share, salt) = (invocation[Self.share], invocation[Self.holdoutSalt])
            let (response, experiments) = try session.run(invocation) { server in
                let response = try await server.state("holdout")
                guard share != nil || salt != nil else { return (response, [RegisteredExperiment]()) }
                let page = try await server.page("experiments", "experiments", of: RegisteredExperiment.self)
                return (response, page.elements.map(\.content))
            }
            let present: Holdout = try response.value()
            let next = Holdout(salt: salt ?? present.salt, share: share ?? present.share)
            guard next != present else {
                try print(response, ExperimentText.text(of: present), invocation)
                return .ok
            }
            let change = "from \(ExperimentText.words(of: present)) to \(ExperimentText.words(of: next))"
            let plan = HoldoutPlan(from: present, to: next, experiments)
            guard !invocation[Console.dryRun] else {
                if invocation[OutputFormat.option] == .json {
                    try console.printJSON(plan)
                } else {
                    try console.print("Would change the holdout \(change).\n\(ExperimentText.text(of: plan))")
                }
                console.printStatus(Console.noChanges)
                return .ok
            }
            if console.needsConfirmation(invocation) { console.printStatus(ExperimentText.text(of: plan)) }
            guard try console.confirm("Change the holdout \(change)?", invocation) else { return .failed }
            let tag = try response.condition
            let saved = try session.run(invocation) { try await $0.send(.put, "holdout", [], .state(tag), body: next.json()) }
            try print(saved, "Changed the holdout \(change).\n", invocation)
            return .ok
        }
    }

    private func print(_ response: RemoteResponse, _ text: String, _ invocation: Invocation) throws {
        switch invocation[OutputFormat.option] {
        case .table: try console.print(text)
        case .json: try console.printJSON(JSONValue(response.document))
        }
    }

    /// The key of an experiment, as a text and as a part of a path.
    fileprivate struct Key: Sendable {
        let text: String
        var path: String { text.percentEncoded() }
    }

    private static func key(_ invocation: Invocation) throws -> Key {
        let text = invocation[Self.experiment]
        guard RegisteredExperiment.isKey(text) else {
            throw invocation.usageError(
                "invalid experiment '\(text.printable(limit: 80))': expected 1 to 64 letters, digits, dots, colons, hyphens and underscores"
            )
        }
        return Key(text: text)
    }
}

extension AdminClient {
    /// Returns the experiment with its ETag, or nil if it does not exist.
    fileprivate func experiment(_ key: ExperimentCommands.Key) async throws -> RemoteResponse? {
        do { return try await state("experiments/\(key.path)") } catch let error as RemoteError where error.code == "unknownExperiment" {
            return nil
        }
    }
}

extension ValueFormat where Value == String {
    /// The name of an arm, or a salt.
    fileprivate static var name: ValueFormat {
        ValueFormat(
            "TEXT",
            read: { text throws(InvalidValue) in
                guard IdentifierFormat.name.fits(text) else { throw InvalidValue(expected: IdentifierFormat.name.expected) }
                return text
            },
            write: { $0 })
    }
}

/// The value of an option `--arm`: a name and its places, such as `control=0-39,90-99`. The last place is included.
private struct ArmOption: Sendable {
    let name: String
    let places: [Range<Int>]

    init(_ text: String, _ invocation: Invocation) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let ranges = parts.count == 2 ? parts[1].split(separator: ",").map(Self.range) : []
        guard parts.count == 2, RegisteredExperiment.isKey(parts[0]), !ranges.contains(nil) else {
            throw invocation.usageError(
                "invalid value '\(text.printable(limit: 80))' for '--arm': expected an arm and its places, such as control=0-39,90-99")
        }
        name = parts[0]
        places = ranges.compactMap(\.self)
    }

    private static func range(_ text: Substring) -> Range<Int>? {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard 1...2 ~= bounds.count, let first = bounds[0], let last = bounds.last ?? nil, 0 <= first, first <= last, last < Place.count
        else { return nil }
        return first..<(last + 1)
    }
}
