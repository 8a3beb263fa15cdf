internal import CFiles
package import JSON
package import Layout

extension ScreenMatrix {
    /// Parses the screens of the file next to this one, which is embedded in the program.
    package static func builtIn() throws(JSONError) -> ScreenMatrix {
        try ScreenMatrix(parsing: unsafe Array(String(cString: cfiles_screen_matrix).utf8))
    }
}
