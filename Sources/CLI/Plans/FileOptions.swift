internal import Arguments

/// Options that commands about the shop as files have in common.
enum FileOptions {
    static let files = Option(
        repeating: "file", short: "f", .file,
        "A file of a feed, a folder of such files, or - for standard input; more than one may be named.")
    static let prunes = Option(flag: "prune", "Archives the feeds that no file is of.")
    static let publishes = Option(flag: "publish", "Shows what is on the main line as well, from now on.")
}
