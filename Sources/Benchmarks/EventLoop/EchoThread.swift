import Host

/// A thread that answers every byte on one pipe with a byte on another. It measures the cost of a hop between threads
/// with blocking calls alone.
final class EchoThread: Sendable {
    private let question: AnswerPipe
    private let answer: AnswerPipe
    private let isOver = Locked(false)

    init() throws {
        let (question, answer, isOver) = (try AnswerPipe(), try AnswerPipe(), isOver)
        self.question = question
        self.answer = answer
        try Thread.start {
            while true {
                question.receive()
                if isOver.withLock({ $0 }) { return }
                answer.send()
            }
        }
    }

    func roundTrip() {
        question.send()
        answer.receive()
    }

    func stop() {
        isOver.withLock { $0 = true }
        question.send()
    }
}
