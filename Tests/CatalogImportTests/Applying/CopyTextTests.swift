import Testing

@testable import CatalogImport

@Suite("Rows for COPY") struct CopyTextTests {
    @Test(
        "A character that COPY interprets is escaped",
        arguments: [
            (#"a\b"#, #"a\\b"#), (#"\N"#, #"\\N"#), (#"\."#, #"\\."#), ("a\tb", #"a\tb"#), ("a\nb", #"a\nb"#), ("a\rb", #"a\rb"#),
            ("a\r\nb", #"a\r\nb"#), ("é\\", #"é\\"#), ("", ""),
        ])
    func escapes(text: String, written: String) {
        var copy = CopyText()
        copy.text(text)
        copy.endRow()
        #expect(String(decoding: copy.bytes, as: UTF8.self) == written + "\n")
    }

    @Test("Columns are separated by tabs, each row is one line, and an absent value has a marker")
    func rows() {
        var copy = CopyText()
        copy.text(nil)
        copy.number(7)
        copy.bool(true)
        copy.endRow()
        copy.terms(["a", "b"])
        copy.digest([0, 255])
        copy.endRow()
        #expect(copy.rows == 2)
        #expect(String(decoding: copy.bytes, as: UTF8.self) == "\\N\t7\tt\n{\"a\",\"b\"}\t\\\\x00ff\n")
    }
}
