extension Array: JSONDecodable where Element: JSONDecodable {
    /// Reads every element, so that all mistakes are found, then refuses if one was faulty.
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        let elements = try json.elements()
        self.init()
        reserveCapacity(elements.underestimatedCount)
        var refusal: JSONReadError?
        for element in elements {
            do throws(JSONReadError) {
                append(try element.decode())
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
    }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
    /// Refuses keys that differ as bytes but are equal as Unicode: a dictionary could hold only one of them.
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        let values = try json.values()
        self.init(minimumCapacity: values.underestimatedCount)
        var refusal: JSONReadError?
        for value in values {
            do throws(JSONReadError) {
                if updateValue(try value.decode(), forKey: value.key) != nil {
                    throw value.refuseNormalizedKey()
                }
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
    }
}

extension JSONReader {
    @usableFromInline
    func refuseNormalizedKey() -> JSONReadError {
        refuse(.duplicateKey, "the key \(JSONExcerpt.of(key)) appears twice once Unicode is normalized")
    }
}

/// Null is nil, as an element of an array or a value of a dictionary; a member of an object is read by `optional(_:)`.
extension Optional: JSONDecodable where Wrapped: JSONDecodable {
    @inlinable
    package init(from json: JSONReader) throws(JSONReadError) {
        self = json.isNull ? nil : try json.decode(as: Wrapped.self)
    }
}
