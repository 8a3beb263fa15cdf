internal import CFiles

/// The file beside this one, as it was when the program was built: the screens that every layout is tried on.
package enum ScreenFiles {
    package static var matrix: [UInt8] { unsafe Array(String(cString: cfiles_screen_matrix).utf8) }
}
