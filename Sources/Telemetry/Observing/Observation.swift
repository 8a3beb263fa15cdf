/// An event of the program, from which both the log and the metrics derive.
package struct Observation: Sendable, Equatable {
    package let event: EventName
    package let level: Level
    /// The text for people. Programs use the event and the fields.
    package let message: String?
    /// The fields in the order in which they were given.
    package private(set) var fields: [Field]
    /// The request during which the event happened.
    package private(set) var requestID: String?
    /// The key of equivalent observations, of which only the first few are logged. nil if all are logged.
    package private(set) var repetition: String?

    package struct Field: Sendable, Equatable {
        package let name: String
        package let value: Value

        package init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ event: EventName, _ level: Level = .info, _ message: String? = nil, fields: KeyValuePairs<String, Value> = [:],
        requestID: String? = nil
    ) {
        self.event = event
        self.level = level
        self.message = message
        self.fields = fields.map(Field.init)
        self.requestID = requestID
    }

    /// Returns a copy with a repetition key, so that repeated observations may be summarized.
    package func repeating(_ repetition: String) -> Observation {
        var copy = self
        copy.repetition = repetition
        return copy
    }

    func repeated(_ count: Int) -> Observation {
        var copy = self
        copy.fields.append(Field("repeated", .integer(count)))
        return copy
    }

    /// Returns a copy within a request, unless it already has a request.
    package func during(requestID: String) -> Observation {
        var copy = self
        copy.requestID = copy.requestID ?? requestID
        return copy
    }
}

extension Observation {
    /// The importance of an observation for a person.
    ///
    /// It has only four levels, so that the choice between them is clear.
    package enum Level: String, Sendable, CaseIterable, Comparable {
        /// Details for debugging Vitrine itself.
        case debug
        /// A normal event: started, served, published, stopped.
        case info
        /// A failure from which Vitrine recovered. Many of them need attention.
        case warning
        /// A requested operation that failed.
        case error

        package static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .warning: 2
            case .error: 3
            }
        }
    }
}

extension Observation {
    package enum Value: Sendable, Equatable {
        case text(String)
        case integer(Int)
        case double(Double)
        case boolean(Bool)
        case duration(Duration)
        case list([String])
    }
}

extension Observation.Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self = .text(text) }
}

extension Observation.Value: ExpressibleByIntegerLiteral {
    package init(integerLiteral number: Int) { self = .integer(number) }
}

extension Observation.Value: ExpressibleByFloatLiteral {
    package init(floatLiteral number: Double) { self = .double(number) }
}

extension Observation.Value: ExpressibleByBooleanLiteral {
    package init(booleanLiteral bool: Bool) { self = .boolean(bool) }
}

extension Observation.Value: ExpressibleByArrayLiteral {
    package init(arrayLiteral texts: String...) { self = .list(texts) }
}

/// The stable name of an event, used to search logs and derive metrics: `postgres.started`.
///
/// A target declares its events in an extension: `static let postgresStarted: EventName = "postgres.started"`. Renaming
/// one breaks dashboards.
package struct EventName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String

    package init(stringLiteral name: StaticString) {
        description = name.description
        assert(Self.isWellFormed(description), "'\(description)' is no name for an event")
    }

    /// Returns whether the name is two or more words joined by dots, at most 64 bytes in total. A word is lowercase
    /// letters and digits and begins with a letter.
    package static func isWellFormed(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return name.utf8.count <= 64 && parts.count >= 2
            && parts.allSatisfy { word in
                word.first.map(letters.contains) == true && word.allSatisfy { letters.contains($0) || digits.contains($0) }
            }
    }
}
