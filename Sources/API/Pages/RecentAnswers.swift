internal import HTTP
internal import Host

/// The answers to what was asked since something was last published, so that what is asked again is neither understood nor made again.
final class RecentAnswers: Sendable {
    /// Of which answers it is; those of an earlier one are not taken.
    struct Generation: Equatable, Sendable {
        fileprivate var number = 0
    }

    private struct State {
        var answers: [PageQuestion: PageAnswer] = [:]
        var bytes = 0
        var generation = Generation()

        mutating func removeAll() {
            answers.removeAll()
            bytes = 0
        }
    }

    /// Of a question and its fields.
    private static let overhead = 1_024

    private let mostBytes: Int
    private let state = Locked(State())

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// The answer, where it is known, or else what it has to be given in with.
    func look(_ question: PageQuestion) -> (PageAnswer?, Generation) {
        state.withLock { ($0.answers[question], $0.generation) }
    }

    /// Where there is too much, all goes: what is asked often is soon here again.
    func insert(_ answer: PageAnswer, _ question: PageQuestion, of generation: Generation) {
        state.withLock { state in
            guard state.generation == generation else { return }
            let bytes = Self.overhead + (answer.isShared ? 0 : answer.representation.bytes)
            if state.bytes + bytes > mostBytes { state.removeAll() }
            state.bytes += bytes
            state.answers[question] = answer
        }
    }

    /// To be called behind each change of what answers are made of.
    func removeAll() {
        state.withLock { state in
            state.removeAll()
            state.generation.number += 1
        }
    }
}
