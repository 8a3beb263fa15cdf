/// Numbers of changes in the two lanes of the outbox.
package struct OutboxCounts: Sendable, Equatable {
    package var edits = 0
    package var imports = 0

    package init(edits: Int = 0, imports: Int = 0) {
        self.edits = edits
        self.imports = imports
    }
}

/// The transactions of the outbox that one drain publishes, and the number of sections that it composes because of imports.
///
/// A transaction is published as a whole. Edits and imports are two lanes, and neither waits for the other: a share has the
/// oldest transaction of each lane, whatever its size, and the smallest of the others until the part of the lane is full. So
/// every transaction gets its turn, and the length of one lane does not delay the other. While many imports wait, only every
/// other share with edits has imports too, so that an edit waits for at most one part of an import. After a failure, the lanes
/// take turns, so that changes of one that cannot be published do not stop the other.
///
/// The sections that imports have made due are in the lane of imports. Its part is a few of them or many imported changes, in
/// turn, but never both. After a failure, it is one of them or some imported changes.
package struct OutboxShare: Equatable {
    /// The lanes of a share if both wait. If only one waits, it is taken.
    package enum Turn: Sendable {
        /// Both, or edits alone if many imports wait.
        case few
        /// Both, because the last share left out imports.
        case both
        /// Edits alone, because a drain has failed.
        case edits
        /// Imports alone, because a drain has failed, and edits had their turn.
        case imports

        /// Whether a drain has failed, and no later one has ended the turns.
        var isAfterFailure: Bool { self == .edits || self == .imports }
    }

    struct Waiting {
        let transaction: String
        /// The number of IDs and keys.
        let changes: Int
        var isImport = false
    }

    struct Limits {
        /// The maximum number of changes in addition to those of the oldest edit.
        let edits: Int
        /// The maximum number of changes in addition to those of the oldest transaction of imports.
        let imports: Int

        /// The number of changes up to which imports are published like an edit, with the sections that they affect.
        var fewImports: Int { imports / 5 }
    }

    /// The transactions, or nil if the share includes all waiting ones.
    let transactions: [String]?
    /// The changes in the share.
    let taken: OutboxCounts
    /// The changes that wait for a later drain.
    let left: OutboxCounts
    /// Whether the imported changes alone are the part of their lane.
    let takesManyImports: Bool
    /// Whether the share has imports, and few of them.
    private let takesFewImports: Bool
    /// Whether due sections are in the share.
    private(set) var takesDue = false
    /// The number of due sections that wait for a later drain.
    var leftDue = 0
    private let turn: Turn

    var changes: Int { taken.edits + taken.imports }
    /// Whether the share includes everything that was committed.
    var isEverything: Bool { transactions == nil }
    /// Whether everything that was committed is published after the drain, in all sections that it affects.
    var isComplete: Bool { isEverything && leftDue == 0 }

    /// Chooses from the waiting transactions, the oldest first.
    init(of waiting: [Waiting], _ limits: Limits, _ turn: Turn, due: DueSections.Turn = .none) {
        let edits = waiting.filter { !$0.isImport }
        let imports = waiting.filter(\.isImport)
        let areImportsMany = Self.changes(of: imports) > limits.imports
        var takenEdits = Self.part(of: edits, maxChanges: limits.edits)
        let isTurnOfDue = due == .alone || due == .next && areImportsMany
        var takenImports = isTurnOfDue ? [] : Self.part(of: imports, maxChanges: limits.imports)
        if !edits.isEmpty, !imports.isEmpty || due != .none {
            switch turn {
            case .few: if areImportsMany { takenImports = [] }
            case .both: break
            case .edits: takenImports = []
            case .imports: takenEdits = []
            }
        }
        taken = OutboxCounts(edits: Self.changes(of: takenEdits), imports: Self.changes(of: takenImports))
        left = OutboxCounts(edits: Self.changes(of: edits) - taken.edits, imports: Self.changes(of: imports) - taken.imports)
        takesManyImports = taken.imports > limits.imports
        takesFewImports = taken.imports > 0 && taken.imports <= limits.fewImports
        let share = takenEdits + takenImports
        transactions = share.count == waiting.count ? nil : share.map(\.transaction)
        self.turn = turn
    }

    /// The number of parts of due sections that a drain takes if these are overdue, or if it has few imports and no edits.
    static let manyParts = 8

    /// Takes due sections, after the drain has added those that its imports affect. Returns the number of sections at which the drain
    /// takes no other due one: zero in addition to many imports, and in addition to edits if these are taken alone. After a failure,
    /// it is zero in addition to any imports, and otherwise one. It is several times `maxDue`, so that the head is complete soon, if
    /// the share leaves no changes to the next one, and has few imports alone, or sections are overdue.
    mutating func takeDue(of due: Int, atMost maxDue: Int, hasFailed: Bool = false, areOverdue: Bool = false) -> Int {
        let takesMany = isEverything && !hasFailed && (areOverdue || takesFewImports && taken.edits == 0)
        let areEditsAlone = taken.edits > 0 && (turn == .edits || turn == .few && (due > maxDue || left.imports > 0))
        let areImportsAlone = takesManyImports && !takesMany || hasFailed && taken.imports > 0
        takesDue = due > 0 && !areImportsAlone && !areEditsAlone
        if !takesDue { return 0 }
        if hasFailed { return 1 }
        return takesMany ? Self.manyParts * maxDue : maxDue
    }

    /// The turn after this share was published.
    var turnAfterSuccess: Turn {
        let hasPartOfImports = takesManyImports || takesDue || taken.imports > 0 && leftDue == 0
        if hasPartOfImports || left.imports == 0 && leftDue == 0 { return .few }
        return turn.isAfterFailure && taken.imports == 0 ? .imports : .both
    }

    /// The turn after this share was not published. A lane that always fails leaves at least every third share to the other.
    var turnAfterFailure: Turn { taken.edits > 0 && taken.imports == 0 && !takesDue ? .imports : .edits }

    /// Returns the oldest transaction and the smallest others, which have at most `maxChanges` changes together.
    private static func part(of waiting: [Waiting], maxChanges: Int) -> [Waiting] {
        guard let oldest = waiting.first, changes(of: waiting) > maxChanges else { return waiting }
        var part = [oldest]
        var sum = 0
        for (_, next) in waiting.enumerated().dropFirst().sorted(by: { ($0.element.changes, $0.offset) < ($1.element.changes, $1.offset) })
        {
            guard next.changes <= maxChanges - sum else { break }
            part.append(next)
            sum += next.changes
        }
        return part
    }

    private static func changes(of waiting: [Waiting]) -> Int { waiting.reduce(0) { $0 + $1.changes } }
}
