/// How a value is written on a command line: what stands for it in help, how a text is read, how a default is shown.
package struct ValueFormat<Value: Sendable>: Sendable {
    /// Stands for the value in help, in capitals: `N`, `FILE`, `DURATION`.
    package var placeholder: String
    /// Every text that is accepted, or none where they cannot be listed.
    package var choices: [String] = []
    package var completion = CompletionHint.none
    package var acceptsEmpty = false
    package let read: @Sendable (String) throws(InvalidValue) -> Value
    package let write: @Sendable (Value) -> String

    package init(
        _ placeholder: String,
        read: @escaping @Sendable (String) throws(InvalidValue) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.placeholder = placeholder
        self.read = read
        self.write = write
    }

    /// The same notation under another placeholder.
    package func named(_ placeholder: String) -> ValueFormat {
        var copy = self
        copy.placeholder = placeholder
        return copy
    }

    /// The same notation with live candidates, files or directories offered by the shell.
    package func completed(by hint: CompletionHint) -> ValueFormat {
        var copy = self
        copy.completion = hint
        return copy
    }
}

extension ValueFormat where Value == String {
    /// Any text but the empty one.
    package static var text: ValueFormat { ValueFormat("TEXT", read: { $0 }, write: { $0 }) }

    /// Any text, also the empty one.
    package static var anyText: ValueFormat {
        var notation = text
        notation.acceptsEmpty = true
        return notation
    }

    /// A path that the shell completes; `-` stands for standard input where the command says so.
    package static var file: ValueFormat { text.named("FILE").completed(by: .files) }

    /// A path of a directory that the shell completes.
    package static var directory: ValueFormat { text.named("DIR").completed(by: .directories) }
}
