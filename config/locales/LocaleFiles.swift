/// The file beside this one, as it was when the program was built: the parents of locales as Unicode CLDR has them.
package enum LocaleFiles {
    package static var parents: [UInt8] { PackageResources.parents_json }
}
