/// Why encryption cannot be set up.
package struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file that is at fault, if one is.
    package let file: String?
    package let message: String

    package var description: String { file.map { "\($0): \(message)" } ?? message }
}
