internal import CFiles
package import JSON
package import Layout

extension ScreenMatrix {
    /// The screens of the file beside this one, as it was when the program was built.
    package static func builtIn() throws(JSONError) -> ScreenMatrix {
        try ScreenMatrix(parsing: unsafe Array(String(cString: cfiles_screen_matrix).utf8))
    }
}
