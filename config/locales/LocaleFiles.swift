internal import CFiles

/// The file beside this one, as it was when the program was built: the parents of locales as Unicode CLDR has them.
package enum LocaleFiles {
    package static var parents: [UInt8] { unsafe Array(String(cString: cfiles_locale_parents).utf8) }
}
