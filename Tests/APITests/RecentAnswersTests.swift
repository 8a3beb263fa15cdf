import HTTPMessages
import Testing

@testable import API
@testable import HTTP

@Suite("Recent answers")
struct RecentAnswersTests {
    private static func question(_ line: String, _ fields: String...) throws -> PageQuestion {
        try #require(PageQuestion(head("GET \(line)", fields)))
    }

    private static func answer(_ size: Int) -> PageAnswer {
        let bytes = [UInt8](repeating: 0x20, count: size)
        return PageAnswer(
            representation: Representation(bytes, type: "application/json", version: "1", effort: .quick), fields: [], end: nil)
    }

    @Test("are given to the same question, and to no other")
    func questions() throws {
        let answers = RecentAnswers(mostBytes: 1_000_000)
        let asked = try Self.question("/v1/us/feeds/today?locale=en", "Vitrine-Client: a", "Accept: text/html")
        answers.insert(Self.answer(1), asked, of: answers.look(asked).1)
        #expect(answers.look(try Self.question("/v1/us/feeds/today?locale=en", "Accept: */*", "Vitrine-Client: a")).0 != nil)
        for other in [
            try Self.question("/v1/us/feeds/today?locale=en"), try Self.question("/v1/us/feeds/today?locale=es", "Vitrine-Client: a"),
            try Self.question("/v1/de/feeds/today?locale=en", "Vitrine-Client: a"),
            try Self.question("/v1/us/feeds/today?locale=en", "Vitrine-Layout: a"),
            try Self.question("/v1/us/feeds/today?locale=en", "Accept-Language: a"),
            try Self.question("/v1/us/feeds/today?locale=en", "Vitrine-Client: a", "Vitrine-Client: a"),
        ] {
            #expect(answers.look(other).0 == nil)
        }
        #expect(PageQuestion(try head("GET /", ["Vitrine-Client: " + String(repeating: "a", count: 2_000)])) == nil)
    }

    @Test("are not of what was published before the last change")
    func generations() throws {
        let answers = RecentAnswers(mostBytes: 1_000_000)
        let asked = try Self.question("/v1/us/feeds/today")
        let before = answers.look(asked).1
        answers.removeAll()
        answers.insert(Self.answer(1), asked, of: before)
        #expect(answers.look(asked).0 == nil)
        answers.insert(Self.answer(1), asked, of: answers.look(asked).1)
        #expect(answers.look(asked).0 != nil)
        answers.removeAll()
        #expect(answers.look(asked).0 == nil)
    }

    @Test("take no more than they may, however much is asked")
    func room() throws {
        let answers = RecentAnswers(mostBytes: 10_000)
        let questions = try (0..<20).map { try Self.question("/v1/us/feeds/\($0)") }
        for question in questions {
            answers.insert(Self.answer(400), question, of: answers.look(question).1)
            #expect(answers.look(question).0 != nil)
            #expect(questions.count { answers.look($0).0 != nil } <= 7)
        }
    }
}
