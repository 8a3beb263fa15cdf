/// The header fields of a request, in the order in which they came.
package struct Fields: Sendable {
    private struct Place {
        let nameStart: UInt32
        let nameCount: UInt32
        let valueStart: UInt32
        let valueCount: UInt32

        var name: Range<Int> { Int(nameStart)..<Int(nameStart + nameCount) }
        var value: Range<Int> { Int(valueStart)..<Int(valueStart + valueCount) }
    }

    private var bytes: [UInt8] = []
    private var places: [Place] = []

    package init() {}

    /// Reserves room for what is about to be appended.
    init(byteCount: Int, fieldCount: Int) {
        bytes.reserveCapacity(byteCount)
        places.reserveCapacity(fieldCount)
    }

    package var count: Int { places.count }

    /// The caller has checked that both are well formed.
    package mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        let start = bytes.count
        name.append(to: &bytes)
        value.append(to: &bytes)
        places.append(
            Place(
                nameStart: UInt32(truncatingIfNeeded: start), nameCount: UInt32(truncatingIfNeeded: name.count),
                valueStart: UInt32(truncatingIfNeeded: start + name.count), valueCount: UInt32(truncatingIfNeeded: value.count)))
    }

    /// The value of the first field with this name; bytes that are no UTF-8 are replaced.
    package subscript(name: FieldName) -> String? {
        withFirst(name) { value in value.text }
    }

    /// The values of all fields with this name, joined as one list.
    package func list(_ name: FieldName) -> String? {
        let values = places.compactMap { place -> String? in
            name.matches(bytes.span.extracting(place.name)) ? bytes.span.extracting(place.value).text : nil
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    package func contains(_ name: FieldName) -> Bool { places.contains { name.matches(bytes.span.extracting($0.name)) } }

    /// Lends the value of the first field with this name without making a `String` of it.
    package func withFirst<Result>(_ name: FieldName, _ body: (Span<UInt8>) -> Result) -> Result? {
        for place in places where name.matches(bytes.span.extracting(place.name)) {
            return body(bytes.span.extracting(place.value))
        }
        return nil
    }

    /// Calls back for each field in order.
    package func forEach<Failure>(_ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        for place in places { try body(bytes.span.extracting(place.name), bytes.span.extracting(place.value)) }
    }
}

extension Span<UInt8> {
    package var text: String {
        var copy: [UInt8] = []
        append(to: &copy)
        return String(decoding: copy, as: UTF8.self)
    }

    func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}
