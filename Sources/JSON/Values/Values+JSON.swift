package import Values

extension CalendarDay: JSONDecodable, JSONEncodable {
    /// Reads a day from 1970 to 2199, the range of the catalog.
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let day = CalendarDay(try json.decode(as: String.self)), (0...84_005).contains(day.daysSince1970) else {
            throw json.refuse(.invalidFormat, "expected a day from 1970 to 2199, such as 2026-03-01")
        }
        self = day
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}

extension UUID: JSONDecodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .string, let id = json.session.tape.withText(at: json.index, { UUID(utf8: $0) }) else {
            throw json.refuse(.invalidFormat, "expected an ID such as ce2b4ae3-61ca-4820-bcf9-f90054b5e000")
        }
        self = id
    }
}

extension Timestamp: JSONDecodable {
    /// Reads an RFC 3339 time.
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let timestamp = Timestamp(try json.decode(as: String.self)) else {
            throw json.refuse(.invalidFormat, "expected a time such as 2026-03-01T09:30:00Z")
        }
        self = timestamp
    }
}

extension PlannedTime: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let time = PlannedTime(try json.decode(as: String.self)) else {
            throw json.refuse(
                .invalidFormat, "expected a time such as 2026-03-01T09:30:00Z, or 2026-03-01T09:30 for the clock of each storefront")
        }
        guard time.isInRange else { throw json.refuse(.outOfRange, "expected a time before the year 9999") }
        self = time
    }

    package func encode(to json: inout JSONWriter) { json.string(description) }
}
