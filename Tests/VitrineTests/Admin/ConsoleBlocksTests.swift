import Testing

@Suite("The console blocks of a document")
struct ConsoleBlocksTests {
    private static let document = """
        Text
        ```sh
        $ passed over
        ```
        ```console
        $ one
        $ two \\
            --words
        output

        more
        ```
        $ no command
        ```console
        $ three
        ```

        """

    @Test("The steps are the commands with the lines that follow them")
    func steps() {
        let steps = ConsoleBlocks(Self.document).steps
        #expect(steps.map(\.command) == ["one", "two \\\n    --words", "three"])
        #expect(steps.map(\.output) == [[], ["output", "", "more"], []])
        #expect(steps.map(\.line) == [6, 7, 15])
    }

    @Test("Replacing the outputs leaves the rest of the document unchanged")
    func outputs() {
        let blocks = ConsoleBlocks(Self.document)
        #expect(blocks.document(with: blocks.steps.map(\.output)) == Self.document)
        let other = blocks.document(with: [["first"], [], ["third", "line"]])
        #expect(ConsoleBlocks(other).steps.map(\.output) == [["first"], [], ["third", "line"]])
        #expect(other.contains("$ one\nfirst\n$ two") && other.contains("$ no command"))
    }
}
