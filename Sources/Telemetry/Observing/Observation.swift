/// Something that happened: the one value from which the log is written and metrics are counted.
package struct Observation: Sendable, Equatable {
    package let event: EventName
    package let level: Level
    /// For a person who reads the log; a program goes by the event and the fields.
    package let message: String?
    /// In the order in which they were given.
    package let fields: [Field]
    /// The request during which it happened.
    package private(set) var requestID: String?

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

    /// The same within a request, unless it names another one already.
    package func during(requestID: String) -> Observation {
        var copy = self
        copy.requestID = copy.requestID ?? requestID
        return copy
    }
}
