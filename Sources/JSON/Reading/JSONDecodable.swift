import Values

/// A type that describes how it is read from JSON, so that one pass finds all issues of a document.
///
/// A document with issues is read a second time to explain them. An initializer must therefore have no other effects.
///
/// ```swift
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

/// A type that is read from the members of an object. Unknown keys are reported after its initializer returns.
///
/// An initializer asks for its required members first, and each one reports its own issues. It unwraps them afterward
/// by calling them, so that one issue does not hide the next. An initializer that checks members together asks for all
/// of them before it throws.
///
/// ```swift
/// struct Size: JSONObjectDecodable {
///     let width: Dimension
///     let height: Dimension
///     let minimum: Double
///     let maximum: Double?
///
///     init(_ object: inout JSONObjectReader) throws(JSONReadError) {
///         let width = object.required("width", as: Dimension.self)
///         let height = object.required("height", as: Dimension.self)
///         minimum = object.value("minimum", default: 0, .in(0...4096))
///         maximum = object.optional("maximum")
///         self.width = try width()
///         self.height = try height()
///     }
/// }
/// ```
@usableFromInline
package protocol JSONObjectDecodable: JSONDecodable {
    init(_ object: inout JSONObjectReader) throws(JSONReadError)
}

extension JSONObjectDecodable {
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        do throws(JSONReadError) {
            self = try Self(&object)
        } catch {
            object.close()
            throw error
        }
        try object.finish()
    }
}

extension JSONDecodable {
    /// Parses and reads in one step. The error holds the one syntax error or all issues of the content.
    package init(
        parsing source: [UInt8], limits: JSONLimits = JSONLimits(), notation: JSONDialect = .strict
    ) throws(JSONError) {
        self = try JSONDocument(parsing: source, limits: limits, notation: notation).decode(Self.self)
    }
}

extension JSONDocument {
    /// Reads the whole document strictly: any issue fails the reading, also an unknown key.
    package func decode<Value: JSONDecodable>(_ type: Value.Type = Value.self) throws(JSONError) -> Value {
        let session = JSONReadingContext(reading: self, isStrict: true, explains: false)
        if let value = session.read(type), session.isClean {
            assert(session.unfinished == 0, "an initializer did not call finish()")
            return value
        }
        throw explanation(of: type, isStrict: true)
    }

    /// Reads as much as possible. Ignores unknown keys, and drops an invalid part that is optional, has a default or is
    /// in a lossy array. The error holds the issues that made the rest unreadable.
    package func decodeLeniently<Value: JSONDecodable>(
        _ type: Value.Type = Value.self
    ) throws(JSONError) -> (value: Value, dropped: [JSONIssue]) {
        let session = JSONReadingContext(reading: self, isStrict: false, explains: false)
        let value = session.read(type)
        if let value, session.isClean { return (value, []) }
        let error = explanation(of: type, isStrict: false)
        guard let value else { throw error }
        return (value, error.issues)
    }

    private func explanation<Value: JSONDecodable>(of type: Value.Type, isStrict: Bool) -> JSONError {
        let session = JSONReadingContext(reading: self, isStrict: isStrict, explains: true)
        _ = session.read(type)
        return session.error
    }
}

extension JSONNode {
    /// Reads the value leniently, as a part of the output of another program. Returns nil if it lacks a part that the
    /// type requires.
    package func decodeLeniently<Value: JSONDecodable>(_ type: Value.Type = Value.self) -> Value? {
        JSONReadingContext(reading: document, isStrict: false, explains: false).read(type, at: index)
    }
}

extension Array: JSONDecodable where Element: JSONDecodable {
    /// Reads every element, so that all issues are found. Throws after the last element if one was invalid.
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        let elements = try json.elements()
        self.init()
        reserveCapacity(elements.underestimatedCount)
        var failure: JSONReadError?
        for element in elements {
            do throws(JSONReadError) {
                append(try element.decode())
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
    /// Rejects keys that differ as bytes but are equal as Unicode, because a dictionary could hold only one of them.
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        let values = try json.values()
        self.init(minimumCapacity: values.underestimatedCount)
        var failure: JSONReadError?
        for value in values {
            do throws(JSONReadError) {
                if updateValue(try value.decode(), forKey: value.key) != nil {
                    throw value.refuseNormalizedKey()
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

extension JSONReader {
    @usableFromInline
    func refuseNormalizedKey() -> JSONReadError {
        refuse(.duplicateKey, "the key \(JSONExcerpt.of(key)) appears twice after Unicode normalization")
    }
}

/// Reads null as nil in an array or as a value of a dictionary. `optional(_:)` reads a member of an object.
extension Optional: JSONDecodable where Wrapped: JSONDecodable {
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        self = json.isNull ? nil : try json.decode(as: Wrapped.self)
    }
}

extension Bool: JSONDecodable {
    @usableFromInline
    package init(from json: JSONReader) throws(JSONReadError) {
        switch json.entry.tag {
        case .true: self = true
        case .false: self = false
        default: throw json.mismatch("true or false")
        }
    }
}

extension String: JSONDecodable {
    @usableFromInline
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let text = json.text else { throw json.mismatch("a string") }
        self = text
    }
}

extension Double: JSONDecodable {
    @usableFromInline
    package init(from json: JSONReader) throws(JSONReadError) {
        guard json.kind == .number else { throw json.mismatch("a number") }
        self = json.numberText.double
    }
}

extension JSONDecodable where Self: FixedWidthInteger {
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        guard let value = try Self(exactly: json.wideInteger()) else { throw json.outOfRange(of: Self.self) }
        self = value
    }
}

extension Int: JSONDecodable {}
extension Int32: JSONDecodable {}
extension Int64: JSONDecodable {}
extension UInt8: JSONDecodable {}
extension UInt16: JSONDecodable {}
extension UInt32: JSONDecodable {}
extension UInt64: JSONDecodable {}

/// An enum whose raw values are the strings of the document.
extension JSONDecodable where Self: RawRepresentable<String> & CaseIterable {
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        for value in Self.allCases where json.isString(value.rawValue) {
            self = value
            return
        }
        throw json.notOne(of: Self.allCases.map(\.rawValue))
    }
}

extension JSONReader {
    fileprivate var numberText: JSONNumberText { node.numberText }

    /// Returns a value that is wide enough for each integer type. A wider number becomes the maximum, which no integer
    /// type holds.
    @usableFromInline
    func wideInteger() throws(JSONReadError) -> Int128 {
        guard entry.tag == .integer else { throw mismatch("an integer", hint: advisedInteger) }
        if let integer = numberText.integer(as: Int.self) { return Int128(integer) }
        return numberText.integer(as: Int128.self) ?? .max
    }

    @usableFromInline
    func outOfRange<Integer: FixedWidthInteger>(of type: Integer.Type) -> JSONReadError {
        refuse(.outOfRange, "expected an integer from \(type.min) to \(type.max)")
    }

    @usableFromInline
    func isString(_ keyword: String) -> Bool {
        guard entry.tag == .string || entry.tag == .escapedString else { return false }
        return session.tape.hasText(keyword, at: index)
    }

    @usableFromInline
    func notOne(of names: [String]) -> JSONReadError {
        let expected = (names.count > 1 ? "one of " : "") + names.map(JSONExcerpt.of).joined(separator: ", ")
        guard kind == .string else { return mismatch(expected) }
        let keyword = node.text
        return refuse(
            .invalidChoice, "expected \(expected), found \(JSONExcerpt.of(keyword))",
            hint: keyword.nearest(among: names).map { "did you mean \"\($0)\"?" })
    }

    /// The plain form of a number such as 3.0 or 1e2 that is probably meant as an integer.
    private var advisedInteger: String? {
        guard kind == .number, let value = node.double, let integer = Int(exactly: value) else { return nil }
        return "write \(integer)"
    }
}
