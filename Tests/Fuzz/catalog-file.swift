// fuzzes: Values JSON Items/Item CatalogImport/Reading
import CatalogImport
import JSON

/// Fuzzes a catalog file. The first byte chooses the format and the size of the pieces, and the rest is the file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = source.first else { return 0 }
    let format = FileFormat.allCases[Int(choice) % 3]
    let bytes = source.dropFirst()
    let whole = events(of: bytes, format, piece: bytes.count)
    let cut = events(of: bytes, format, piece: 1 + Int(choice) / 3)
    precondition(whole.count == cut.count, "\(whole.count) records, and \(cut.count) of pieces")
    for (event, other) in zip(whole, cut) { check(event, other) }
    return 0
}

private func events(of bytes: ArraySlice<UInt8>, _ format: FileFormat, piece: Int) -> [FileEvent] {
    let vocabulary = Vocabulary(categories: ["productivity": nil, "arabic": nil], storefronts: ["us": "USD", "de": "EUR"])
    var reader = CatalogFileReader(format, vocabulary: vocabulary, limits: FileLimits(record: 4_096), digest: digest)
    var events: [FileEvent] = []
    var rest = bytes
    while !rest.isEmpty {
        let part = rest.prefix(max(1, piece))
        rest = rest.dropFirst(part.count)
        reader.consume(part) { events.append($0) }
    }
    reader.end { events.append($0) }
    return events
}

/// Checks that a record is the same in pieces, and that it can be written and read again.
private func check(_ event: FileEvent, _ other: FileEvent) {
    switch (event, other) {
    case (.item(let item), .item(let same)):
        precondition(item.record == same.record && item.id == same.id && item.line == same.line && item.contentHash == same.contentHash)
        precondition(!item.slug.isEmpty && item.slug.utf8.count <= 80 && item.contentHash.count == 32)
        do throws(JSONError) {
            let again = try CatalogRecord(parsing: item.record.json(), limits: .ownOutput)
            precondition(again == .item(item.record), "an item does not survive")
        } catch {
            preconditionFailure("\(error)")
        }
    case (.storefront, .storefront), (.category, .category), (.chart, .chart), (.wordChanges, .wordChanges): break
    case (.rejected(let rejects), .rejected(let same)): precondition(rejects == same && !rejects.isEmpty)
    default: preconditionFailure("\(event) is \(other) in pieces")
    }
}

/// Returns a simple hash with sufficient distribution, without a library.
@Sendable private func digest(_ bytes: [UInt8]) -> [UInt8] {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0100_0000_01B3 }
    return (0..<32).map { place in
        state = (state ^ UInt64(place)) &* 0x0100_0000_01B3
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}
