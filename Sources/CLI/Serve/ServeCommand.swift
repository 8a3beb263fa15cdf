internal import Arguments
internal import Host
internal import Server
internal import Settings

/// `vitrine serve`: a server that responds to requests until it is stopped.
struct ServeCommand {
    let console: Console

    var command: Command {
        Command(
            "serve", "Run the HTTP server",
            discussion: """
                The server accepts HTTP/1.1 and HTTP/2 on one port, and uses TLS if a certificate is set. SIGTERM and Ctrl-C stop the \
                server after the active requests. SIGHUP reloads the certificate and sync.keys.

                A socket that a service manager passes on (LISTEN_FDS) replaces --listen. With such a socket, a new process can replace \
                the old process without losing a request. With --share-port alone, connections that a stopping process has not yet \
                accepted are lost, unless net.ipv4.tcp_migrate_req is 1.
                """,
            examples: [
                Example("vitrine serve", "Listen on 127.0.0.1:8080, with the embedded PostgreSQL."),
                Example("vitrine serve --listen '*:80'", "Listen on all addresses."),
                Example("vitrine serve --tls-certificate chain.pem --tls-key key.pem", "Serve over TLS."),
            ],
            groups: [Settings.flagGroup]
        ) { invocation in
            let signals = Signal.stopping + [.hangup]
            // The signals are held before the first thread that could receive them instead.
            Signal.hold(signals)
            Signal.ignoreBrokenPipes()
            let loaded = try LoadedSettings(invocation, console: console)
            let log = try ServeLog(loaded.settings.log, console: console)
            defer { log.output.close() }
            let server = try ServerRuntime(
                loaded.settings, try loaded.databaseURL(console), keys: loaded.settings.sync.keys, environment: console.environment, log)
            let notifier = ServiceNotifier(console.environment, log)
            notifier.send(.ready)
            while true {
                switch Signal.next(of: signals, within: notifier.pause) {
                case .hangup?: server.reload { try LoadedSettings(invocation, console: console).settings.sync.keys }
                case nil:
                    log.output.writeSummaries()
                    notifier.tick(server.lateLoops)
                default:
                    notifier.send(.stopping)
                    let isStopped = server.stop(within: loaded.settings.timeouts.shutdown)
                    // A task that has not ended would make an orderly exit wait, or crash.
                    if !isStopped {
                        log.output.close()
                        SystemInfo.exitAtOnce(0)
                    }
                    return .ok
                }
            }
        }
    }
}

extension ServeLog {
    /// Creates a log on standard error, in color under the same conditions as the console.
    init(_ settings: Settings.Log, console: Console) throws(HostError) {
        self.init(try LogOutput(settings, isColored: console.isColored(.errors)))
    }
}
