/// Something that happened: the one value from which the log is written and metrics are counted.
package struct Observation: Sendable, Equatable {
    package let event: EventName
    package let level: Level
    /// For a person who reads the log; a program goes by the event and the fields.
    package let message: String?
    /// In the order in which they were given.
    package private(set) var fields: [Field]
    /// The request during which it happened.
    package private(set) var requestID: String?
    /// The same for observations that a reader takes for the same thing again: of many only the first few are written. Nil if each is written.
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

    /// The same observation, of which not each need be written.
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

    /// The same within a request, unless it names another one already.
    package func during(requestID: String) -> Observation {
        var copy = self
        copy.requestID = copy.requestID ?? requestID
        return copy
    }
}

extension Observation {
    /// How much a person has to care.
    ///
    /// Four on purpose: whoever writes an observation should never have to ponder which of two neighbours is meant.
    package enum Level: String, Sendable, CaseIterable, Comparable {
        /// Of use to whoever looks for a defect in Vitrine itself.
        case debug
        /// The normal course of things: started, served, published, stopped.
        case info
        /// Something failed, and Vitrine got over it; many of them need a look.
        case warning
        /// Something that was asked for could not be done.
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

/// The stable name of something that happens, by which logs are searched and metrics are made: `postgres.started`.
///
/// A target names its events in an extension: `static let postgresStarted: EventName = "postgres.started"`. Renaming one breaks dashboards.
package struct EventName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String

    package init(stringLiteral name: StaticString) {
        description = name.description
        assert(Self.isWellFormed(description), "'\(description)' is no name for an event")
    }

    /// Two or more words joined by dots, each of lower-case letters and digits and opening with a letter; at most 64 bytes.
    package static func isWellFormed(_ name: String) -> Bool {
        let words = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return name.utf8.count <= 64 && words.count >= 2
            && words.allSatisfy { word in
                word.first.map(letters.contains) == true && word.allSatisfy { letters.contains($0) || digits.contains($0) }
            }
    }
}
