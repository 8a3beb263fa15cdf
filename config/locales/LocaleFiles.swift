internal import CFiles

/// The parents of locales from Unicode CLDR, embedded from the file next to this one.
package enum LocaleFiles {
    package static var parents: [UInt8] { unsafe Array(String(cString: cfiles_locale_parents).utf8) }
}
