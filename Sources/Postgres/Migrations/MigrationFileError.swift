/// All that is wrong with the files of migrations.
package struct MigrationFileError: Error, Sendable, Equatable, CustomStringConvertible {
    package let mistakes: [MigrationIssue]

    package var description: String { mistakes.map(\.description).joined(separator: "\n") }
}
