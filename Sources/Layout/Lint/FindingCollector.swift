internal import JSON

/// Collects the findings of one layout over all screens and reports each of them once.
struct FindingCollector {
    private struct Key: Hashable {
        let code: Finding.Code
        let steps: [Step]
    }

    enum Step: Hashable {
        case member(String)
        case index(Int)
    }

    private struct Note {
        let sentence: String
        var screens: [String: Set<LayoutEnvironment.LayoutDirection>] = [:]
    }

    private let location: Expansion.Location
    private let screenCount: Int
    private var order: [Key] = []
    private var notes: [Key: Note] = [:]
    private var names: [String] = []
    private var direction = LayoutEnvironment.LayoutDirection.leftToRight

    init(location: Expansion.Location, screenCount: Int) {
        self.location = location
        self.screenCount = screenCount
    }

    /// Sets the screen and the direction of the following findings.
    mutating func turn(to screen: Screen, _ direction: LayoutEnvironment.LayoutDirection) {
        if names.last != screen.name { names.append(screen.name) }
        self.direction = direction
    }

    /// Records a finding. The sentence is created only for its first occurrence.
    mutating func note(_ code: Finding.Code, at steps: [Step], _ sentence: @autoclosure () -> String) {
        guard let screen = names.last else { return }
        let key = Key(code: code, steps: steps)
        if notes[key] == nil {
            order.append(key)
            notes[key] = Note(sentence: sentence())
        }
        notes[key]?.screens[screen, default: []].insert(direction)
    }

    var findings: [Finding] {
        order.compactMap { key in notes[key].map { finding(key, $0) } }
    }

    private func finding(_ key: Key, _ note: Note) -> Finding {
        var pointer = location.pointer
        for step in key.steps {
            switch step {
            case .member(let name): pointer.append(name)
            case .index(let index): pointer.append(index)
            }
        }
        let screens = names.compactMap { name in
            note.screens[name].map { $0 == [.rightToLeft] ? "\(name) rightToLeft" : name }
        }
        return Finding(
            code: key.code, pointer: pointer, screens: screens, isOnEveryScreen: screens.count == screenCount, sentence: note.sentence)
    }
}

extension [FindingCollector.Step] {
    /// Returns the steps to a child of the section's outermost group.
    static func group(_ path: [Int]) -> [FindingCollector.Step] {
        [.member("group")] + path.flatMap { [FindingCollector.Step.member("subitems"), .index($0)] }
    }
}

extension FindingCollector {
    mutating func note(_ error: LayoutError) {
        note(Finding.Code(error.code), at: error.path.map { .group($0) } ?? [], error.sentence)
    }
}

extension Finding.Code {
    fileprivate init(_ code: LayoutError.Code) {
        self =
            switch code {
            case .noRoom: .noRoom
            case .zeroExtent: .zeroExtent
            case .tooManySlots: .tooManySlots
            case .tooManyItems: .tooManyItems
            case .tooManySubitems: .tooManySubitems
            case .oneSubitem: .oneSubitem
            case .tooDeep: .tooDeep
            case .emptyGroup: .emptyGroup
            }
    }
}
