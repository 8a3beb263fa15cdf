internal import CFiles

/// The SQL and sample files in this folder at build time. `CFiles` lists them, and a test compares its list with the
/// folders.
package enum SQLFiles {
    package typealias File = (name: String, bytes: [UInt8])

    /// The migrations in the order of their numbers.
    package static let migrations = unsafe files(of: cfiles_migrations)

    package static let queries = unsafe files(of: cfiles_queries)

    /// A sample catalog as lines for an import. Files that others refer to come first.
    package static let sample = unsafe files(of: cfiles_sample)

    /// Sample feeds for that catalog, in the form that curators write. A takeover of `today` replaces it for a night.
    package static let sampleFeeds = unsafe files(of: cfiles_sample_feeds)

    private static func files(of folder: cfiles_folder) -> [File] {
        unsafe UnsafeBufferPointer(start: folder.files, count: Int(folder.count)).map { file in
            unsafe (String(cString: file.name), Array(String(cString: file.text).utf8))
        }
    }
}
