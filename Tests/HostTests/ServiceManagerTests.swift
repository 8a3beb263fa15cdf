import Glibc
import Host
import TestSupport
import Testing

@Suite("The service manager")
struct ServiceManagerTests {
    /// A socket like that of a service manager.
    private struct Listener: ~Copyable {
        let descriptor: Descriptor

        init(_ name: String) throws {
            let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            descriptor = Descriptor(owning: number)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { target in
                for (index, byte) in name.utf8.enumerated() { target[index] = byte == UInt8(ascii: "@") ? 0 : byte }
            }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count + (name.hasPrefix("@") ? 0 : 1))
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
            }
            guard status == 0 else { throw HostError(errnoOf: "listen on", name) }
        }

        func next() throws -> String { String(decoding: try descriptor.readSome(subject: "the socket"), as: UTF8.self) }
    }

    @Test("Each state is sent to a path and to a name in the abstract namespace", arguments: [true, false])
    func states(isPath: Bool) throws {
        let folder = try TemporaryFolder("service")
        let name = isPath ? "\(folder.path)/notify" : "@vitrine-\(UInt64.random(in: .min ... .max))"
        let listener = try Listener(name)
        let manager = try #require(ServiceManager(["NOTIFY_SOCKET": name]))
        for state in [ServiceManager.State.ready, .alive, .stopping] {
            try manager.notify(state)
            #expect(try listener.next() == state.rawValue)
        }
        #expect(manager.watchdogTimeout == nil)
    }

    @Test("A service manager exists only if the environment names its socket")
    func environment() {
        #expect(ServiceManager([:]) == nil)
        #expect(ServiceManager(["NOTIFY_SOCKET": "relative"]) == nil)
        #expect(ServiceManager(["NOTIFY_SOCKET": "/" + String(repeating: "a", count: 107)]) == nil)
    }

    @Test("The watchdog applies only to the process that it names")
    func watchdog() {
        func timeout(_ variables: [String: String]) -> Duration? {
            ServiceManager(["NOTIFY_SOCKET": "/x"].merging(variables) { $1 }, process: 7)?.watchdogTimeout
        }
        #expect(timeout(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(timeout(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"]) == .seconds(30))
        #expect(timeout(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"]) == nil)
        for text in ["0", "-1", "x", "99999999999999999999"] { #expect(timeout(["WATCHDOG_USEC": text]) == nil) }
    }

    @Test("Notifying a service manager that is gone throws an error")
    func gone() throws {
        let manager = try #require(ServiceManager(["NOTIFY_SOCKET": "/nowhere/notify"]))
        #expect(throws: HostError.self) { try manager.notify(.ready) }
    }
}
