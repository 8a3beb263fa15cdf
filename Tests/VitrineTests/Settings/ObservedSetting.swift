/// A setting whose effect only a running program shows.
enum ObservedSetting: String, CaseIterable {
    case config, listen, sharePort, trustedProxies, eventLoops
    case operationsListen = "operations.listen"
    case certificate = "tls.certificate"
    case key = "tls.key"
    case logFormat = "log.format"
    case logLevel = "log.level"
    case workerListen = "worker.listen"
    case syncKeys = "sync.keys"
    case adminRequest = "timeouts.adminRequest"
    case shutdown = "timeouts.shutdown"
    case bodyBytes = "limits.bodyBytes"
}
