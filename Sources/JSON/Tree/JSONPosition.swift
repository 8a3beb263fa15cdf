/// A place in a text as an editor shows it.
package struct JSONPosition: Equatable, Sendable {
    /// From 1; lines end at LF.
    package let line: Int
    /// From 1, in Unicode scalars: an accented letter written as two scalars is two columns.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Reads the text up to the offset.
    init(offset: Int, in source: [UInt8]) {
        let before = source.prefix(offset)
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        column = before[lineStart...].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}
