/// A type that describes how it is read from JSON, so that all mistakes of a document are found in one go.
///
/// Required fields are asked for first, each reporting what is wrong with it; `finish()` reports unknown keys and ends the reading if
/// anything was reported; only then are the fields unwrapped by calling them. A document with mistakes is read a second time to explain
/// them, so an initializer does nothing but read.
///
/// ```swift
/// struct Size: JSONDecodable {
///     let width: Dimension
///     let height: Dimension
///     let minimum: Double
///     let maximum: Double?
///
///     init(from json: JSONReader) throws(JSONReadError) {
///         var object = try json.object()
///         let width = object.required("width", as: Dimension.self)
///         let height = object.required("height", as: Dimension.self)
///         minimum = object.value("minimum", default: 0, .in(0...4096))
///         maximum = object.optional("maximum")
///         try object.finish()
///         if let maximum, maximum < minimum { throw object.refuse("MIN_OVER_MAX", at: "minimum", "the minimum is above the maximum") }
///         self.width = try width()
///         self.height = try height()
///     }
/// }
///
/// enum Dimension: JSONDecodable {
///     case fractionalWidth(Double), absolute(Double)
///     private enum Key: String, CaseIterable { case fractionalWidth, absolute }
///
///     init(from json: JSONReader) throws(JSONReadError) {
///         let (key, value) = try json.variant(of: Key.self)
///         switch key {
///         case .fractionalWidth: self = .fractionalWidth(try value.decode(.in(0...1)))
///         case .absolute: self = .absolute(try value.decode())
///         }
///     }
/// }
/// ```
@usableFromInline
package protocol JSONDecodable {
    init(from json: JSONReader) throws(JSONReadError)
}

extension JSONDecodable {
    /// Parses and reads in one step; the error holds the one mistake of the syntax or all mistakes of the content.
    package init(
        parsing source: [UInt8], limits: JSONLimits = JSONLimits(), notation: JSONDialect = .strict
    ) throws(JSONError) {
        self = try JSONDocument(parsing: source, limits: limits, notation: notation).decode(Self.self)
    }
}

extension JSONDocument {
    /// Reads the whole document strictly: any mistake refuses it, unknown keys included.
    package func decode<Value: JSONDecodable>(_ type: Value.Type = Value.self) throws(JSONError) -> Value {
        let session = JSONReadingContext(reading: self, isStrict: true, explains: false)
        if let value = session.read(type), session.isClean {
            assert(session.unfinished == 0, "an initializer did not call finish()")
            return value
        }
        throw explanation(of: type, isStrict: true)
    }

    /// Reads what can be read: unknown keys are ignored; a faulty part that is optional, has a default or stands in a lossy array is
    /// dropped. The error holds what the rest needed.
    package func decodeLeniently<Value: JSONDecodable>(
        _ type: Value.Type = Value.self
    ) throws(JSONError) -> (value: Value, dropped: [JSONIssue]) {
        let session = JSONReadingContext(reading: self, isStrict: false, explains: false)
        let value = session.read(type)
        if let value, session.isClean { return (value, []) }
        let error = explanation(of: type, isStrict: false)
        guard let value else { throw error }
        return (value, error.mistakes)
    }

    private func explanation<Value: JSONDecodable>(of type: Value.Type, isStrict: Bool) -> JSONError {
        let session = JSONReadingContext(reading: self, isStrict: isStrict, explains: true)
        _ = session.read(type)
        return session.error
    }
}
