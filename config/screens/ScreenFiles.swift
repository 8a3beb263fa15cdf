internal import CFiles
package import JSON
package import Layout

/// The file beside this one, as it was when the program was built: the screens that every layout is tried on.
package enum ScreenFiles {
    static var matrix: [UInt8] { unsafe Array(String(cString: cfiles_screen_matrix).utf8) }
}

extension ScreenMatrix {
    /// The screens that the program was built with.
    package static func builtIn() throws(JSONError) -> ScreenMatrix { try ScreenMatrix(parsing: ScreenFiles.matrix) }
}
