import TestSupport
import Testing

/// The output of curators' commands, in files of a separate folder. Text that changes between runs is masked.
enum AdminGolden {
    static func expect(_ text: String, is name: String, masks: Bool = true, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let masked = masks ? masking(text) : text
        #expect(try Golden("curating/\(name)").text(recording: masked) == masked, sourceLocation: sourceLocation)
    }

    private static func masking(_ text: String) -> String {
        text.replacing(#/20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?/#, with: "TIME")
            .replacing(#/\b[0-9a-f]{64}\b/#, with: "HASH")
            .replacing(#/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/#, with: "ID")
    }
}
