import Host

extension Signal {
    /// How a command that stays or works for long is told to end; without the end of a terminal that `nohup` had it ignore.
    static let stopping: [Signal] = [.interrupt, .terminate, .hangup].filter { !$0.isIgnored }
}
