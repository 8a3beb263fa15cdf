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
        1. Step
           ```console
           $ four
           output
             more

           end
           ```

        """

    @Test("The steps are the commands with the lines that follow them")
    func steps() {
        let steps = ConsoleBlocks(Self.document).steps
        #expect(steps.map(\.command) == ["one", "two \\\n    --words", "three", "four"])
        #expect(steps.map(\.output) == [[], ["output", "", "more"], [], ["output", "  more", "", "end"]])
        #expect(steps.map(\.line) == [6, 7, 15, 19])
    }

    @Test("Replacing the outputs leaves the rest of the document unchanged")
    func outputs() {
        let blocks = ConsoleBlocks(Self.document)
        #expect(blocks.document(with: blocks.steps.map(\.output)) == Self.document)
        let others: [[Substring]] = [["first"], [], ["third", "line"], ["fourth", "", " line"]]
        let other = blocks.document(with: others)
        #expect(ConsoleBlocks(other).steps.map(\.output) == others)
        #expect(other.contains("$ one\nfirst\n$ two"))
        #expect(other.contains("$ no command") && other.contains("\n   fourth\n\n    line\n   ```\n"))
    }
}
