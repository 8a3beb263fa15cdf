/// A shell's question what may stand at the cursor, ready to be answered.
package struct CompletionRequest: Sendable {
    package func answer() async -> String { "" }
}
