internal import Host
internal import Server
internal import Settings

extension ServeLog {
    /// Writes to standard error, in color as the console does.
    init(_ settings: Settings.Log, console: Console) throws(HostError) {
        self.init(try LogOutput(settings, isColored: console.isColored(.errors)))
    }
}
