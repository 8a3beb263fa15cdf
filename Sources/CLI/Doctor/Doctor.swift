internal import EmbeddedPostgres
import Host
internal import Postgres
internal import Security
internal import Settings

/// A check of everything that Vitrine needs from its machine. It changes nothing.
struct Doctor {
    let loaded: LoadedSettings
    let console: Console

    var settings: Settings { loaded.settings }

    var checks: [Check] {
        [settingsCheck] + RuntimeLibrary.all.map(\.check) + [serverBinaries] + setpriv + [pictures] + database + diskSpace + ports
            + operationsPort + portSharing
            + tlsFiles + serverChecks + [
                openFiles, eventLoops, clock,
            ]
    }

    private var settingsCheck: Check {
        var fromFile: [String: Int] = [:]
        var others: [String] = []
        for entry in loaded.effective.entries {
            switch entry.origin {
            case .default: continue
            case .file(let path, _, _): fromFile[path, default: 0] += 1
            case .flag, .variable, .secretFile: others.append("\(entry.name) from \(entry.origin)")
            }
        }
        let origins = fromFile.sorted { $0.key < $1.key }.map { "\($0.value) from \($0.key)" } + others
        return .ok("settings", origins.isEmpty ? "all defaults" : origins.joined(separator: ", "))
    }

    private var serverBinaries: Check {
        guard settings.databaseURL == nil else { return .note("postgresql-server", "not needed with a database URL") }
        do throws(ClusterError) {
            let server = try loaded.cluster.server()
            return .ok("postgresql-server", "\(server.version) in \(server.directory)")
        } catch {
            return .attention("postgresql-server", error.message, error.advice)
        }
    }

    /// The check of setpriv, from util-linux. PostgreSQL refuses to run as root, and setpriv runs it as another user.
    private var setpriv: [Check] {
        guard settings.databaseURL == nil else { return [] }
        let folders = (console.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        guard !folders.contains(where: { Files.may(.execute, Path.join($0, "setpriv")) }) else { return [] }
        return [.attention("setpriv", "not on the PATH", "Install it: apt-get install util-linux.")]
    }

    /// The check of an SVG converter. Previews are SVG, and a program on the machine converts them to PNG.
    private var pictures: Check {
        guard let converter = ImageConverter(searching: console.environment["PATH"] ?? "") else {
            return .note("pictures", "no converter from SVG to PNG", "For PNG previews, install one: apt-get install librsvg2-bin.")
        }
        return .ok("pictures", "\(converter.program) converts SVG to PNG")
    }

    private var database: [Check] {
        do {
            if let url = settings.databaseURL { return try checks(of: url, at: url.redacted) }
            let (paths, state) = try ClusterState.observe(loaded.cluster)
            switch state {
            case .absent: return [.note("database", "no database yet", "vitrine dev creates one in \(paths.directory).")]
            case .stopped(let major): return [.ok("database", "embedded PostgreSQL \(major) in \(paths.directory), stopped")]
            case .running(let process, isReady: true):
                return try checks(of: DatabaseURL(parsing: paths.url), at: "embedded in \(paths.directory), process \(process)")
            case .running(let process, isReady: false):
                return [.note("database", "embedded PostgreSQL in \(paths.directory) is starting or stopping, process \(process)")]
            }
        } catch let error as ClusterError {
            return [.attention("database", error.message, error.advice)]
        } catch let failure as DatabaseFailure {
            return [.attention("database", failure.message, failure.advice)]
        } catch {
            return [.attention("database", "\(error)", "This is a bug in Vitrine.")]
        }
    }

    private func checks(of url: DatabaseURL, at location: String) throws -> [Check] {
        try DatabaseInfo(of: DatabaseSession(url, settings, as: "vitrine doctor")).checks(at: location, program: console.program)
    }

    /// The minimum free space for an embedded PostgreSQL.
    private static let minSpace = 256 << 20

    private var diskSpace: [Check] {
        guard settings.databaseURL == nil else { return [] }
        var folder = settings.postgres.directory
        while FileStatus(following: folder) == nil, folder != "/", folder != "." { folder = Path.parent(of: folder) }
        guard let free = Files.freeSpace(at: folder) else { return [] }
        guard Files.may(.write, folder) else {
            return [
                .attention(
                    "folder", "\(User.current.name) cannot write to \(folder)",
                    "Grant write access, or choose another folder with --postgres-directory.")
            ]
        }
        let found = "\(free >> 20) MB free for \(settings.postgres.directory)"
        return [
            free < Self.minSpace
                ? .attention("disk", found, "Free some space. PostgreSQL stops if it cannot write.") : .ok("disk", found)
        ]
    }

    private var ports: [Check] {
        settings.listen.map { check("listen", $0, "Stop the other process, or choose another address with --listen or VITRINE_LISTEN.") }
    }

    private var operationsPort: [Check] {
        let name = "operations.listen"
        switch settings.operationsListen {
        case .nowhere: return [.note(name, "off; /healthz, /readyz and /metrics are only at the address of listen")]
        case .at(let address):
            let advice = "Stop the other process, or choose another address with --operations-listen or VITRINE_OPERATIONS_LISTEN."
            if let other = settings.listen.first(where: address.overlaps) {
                return [.attention(name, "\(address) overlaps with \(other) of listen", advice)]
            }
            return [check(name, address, advice)]
        case .auto:
            let standard = OperationsListen.standard
            let found = check(name, standard, "")
            if found.status == .ok, !settings.listen.contains(where: standard.overlaps) { return [found] }
            return [
                .note(
                    name, "\(standard) is in use",
                    "vitrine serve chooses another loopback port, and logs it with the event operations.listening.")
            ]
        }
    }

    private func check(_ name: String, _ address: ListenAddress, _ advice: String) -> Check {
        let error: HostError?
        switch address {
        case .unix: return .ok(name, "\(address)")
        case .host where settings.sharesPort, .anyHost where settings.sharesPort:
            return .ok(name, "\(address), shared with other processes")
        case .host(let host, let port): error = PortProbe.error(address: host, port: port)
        case .anyHost(let port): error = PortProbe.error(address: "", port: port)
        }
        return error.map { .attention(name, "\($0)", advice) } ?? .ok(name, "\(address) is free")
    }

    /// The check of port sharing. The kernel resets connections in the queue of a closed socket, even if other
    /// processes listen on the port.
    private var portSharing: [Check] {
        guard settings.sharesPort else { return [] }
        do throws(HostError) {
            let text = try Files.read("/proc/sys/net/ipv4/tcp_migrate_req")
            if text.first == UInt8(ascii: "1") {
                return [.ok("share-port", "the kernel moves waiting connections to the other processes")]
            }
        } catch {
            // The setting does not exist in older kernels, which cannot do this.
        }
        return [
            .note(
                "share-port", "connections that a stopping process has not yet accepted may be reset",
                "Set net.ipv4.tcp_migrate_req=1, or inherit one socket from a service manager, as in config/vitrine.socket.")
        ]
    }

    private var tlsFiles: [Check] {
        guard let tls = settings.tls else { return [] }
        let unreadable = [tls.certificate, tls.key].filter { !Files.may(.read, $0) }
        guard unreadable.isEmpty else {
            return unreadable.map { path in
                .attention(
                    "tls", "\(path) cannot be read by \(User.current.name)",
                    "Correct the path, or grant \(User.current.name) read access.")
            }
        }
        do throws(TLSError) {
            _ = try TLSContext(certificate: tls.certificate, key: tls.key, protocols: [])
            return [.ok("tls", "\(tls.certificate) matches \(tls.key)")]
        } catch {
            return [.attention("tls", "\(error)", "Set tls.certificate and tls.key to the PEM files of one certificate and its key.")]
        }
    }

    private var openFiles: Check {
        let (soft, hard) = SystemInfo.openFileLimit
        // Besides its connections, a server has listeners, the descriptors of its loops, files and database sockets.
        let needed = settings.limits.connections + 256
        let found = "limit \(soft), at most \(hard)"
        return hard < needed
            ? .attention(
                "open-files", "\(found); limits.connections needs \(needed)",
                "Raise the limit (ulimit -n \(needed), or LimitNOFILE of the service), or lower limits.connections.")
            : .ok("open-files", found)
    }

    private var eventLoops: Check {
        let cores = SystemInfo.cores
        guard let loops = settings.eventLoops else { return .ok("event-loops", "one per core, \(cores) in total") }
        return loops > cores
            ? .note(
                "event-loops", "\(loops) on \(cores) cores",
                "Event loops beyond the number of cores do not help. The value auto is one per core.")
            : .ok("event-loops", "\(loops) on \(cores) cores")
    }

    private var clock: Check {
        // A machine without a clock battery starts in 1970 or at the build time of its image.
        let year2025 = 1_735_689_600_000_000
        return SystemInfo.wallClock < year2025
            ? .attention("clock", "the clock is set to a time before 2025", "Set the clock. Publications start and end by it.")
            : .ok("clock", "plausible")
    }
}
