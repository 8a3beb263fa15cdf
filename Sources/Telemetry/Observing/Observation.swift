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

    /// The same observation, with the number of those that it stands for.
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
