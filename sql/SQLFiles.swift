internal import CFiles

/// The files beside this one, as they were when the program was built; `CFiles` lists them, and a test compares its list with the folders.
package enum SQLFiles {
    package typealias File = (name: String, bytes: [UInt8])

    /// In the order of their numbers.
    package static let migrations = unsafe files(of: cfiles_migrations)

    package static let queries = unsafe files(of: cfiles_queries)

    /// A catalog to look at, as lines for an import; what comes first is needed by what follows.
    package static let sample = unsafe files(of: cfiles_sample)

    /// Feeds for that catalog, as curators write them. One beside `today` takes its place for a night.
    package static let sampleFeeds = unsafe files(of: cfiles_sample_feeds)

    private static func files(of folder: cfiles_folder) -> [File] {
        unsafe UnsafeBufferPointer(start: folder.files, count: Int(folder.count)).map { file in
            unsafe (String(cString: file.name), Array(String(cString: file.text).utf8))
        }
    }
}
