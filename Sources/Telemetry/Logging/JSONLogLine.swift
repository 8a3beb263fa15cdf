package import JSON
internal import Values

/// An observation as one JSON object per line: `time`, `level`, `event`, `message`, the fields, `requestId`.
///
/// A duration is a number of seconds. A number that is not finite is null. A field whose name already occurs gets
/// underscores appended, so that no key is repeated.
struct JSONLogLine: JSONObjectEncodable {
    private let observation: Observation
    private let time: Timestamp

    init(_ observation: Observation, at time: Timestamp) {
        self.observation = observation
        self.time = time
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        encode(to: &writer)
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("time", time.description)
        json.member("level", observation.level.rawValue)
        json.member("event", observation.event.description)
        json.member("message", observation.message)
        for field in observation.uniqueFields { json.member(field.name, field.value) }
        json.member("requestId", observation.requestID)
    }
}

extension Observation {
    /// The fields with names that neither repeat nor clash with the keys of the line itself.
    fileprivate var uniqueFields: [Field] {
        var used: Set = ["time", "level", "event", "message", "requestId"]
        return fields.map { field in
            var name = field.name
            while !used.insert(name).inserted { name += "_" }
            return Field(name, field.value)
        }
    }
}

extension Observation.Value: JSONEncodable {
    @usableFromInline
    package func encode(to json: inout JSONWriter) {
        switch self {
        case .text(let text): json.string(text)
        case .integer(let number): json.integer(number)
        case .double(let number): json.number(number)
        case .boolean(let bool): json.bool(bool)
        case .duration(let duration):
            let (seconds, attoseconds) = duration.components
            json.number(Double(seconds) + Double(attoseconds) / 1e18)
        case .list(let texts): json.value(texts)
        }
    }
}
