internal import Glibc

package struct User: Sendable, Equatable {
    package let id: UInt32
    package let group: UInt32
    package let name: String

    package var isRoot: Bool { id == 0 }

    /// The effective user of this process.
    package static var current: User {
        User(id: geteuid()) ?? User(id: geteuid(), group: getegid(), name: "\(geteuid())")
    }

    package init(id: UInt32, group: UInt32, name: String) {
        self.id = id
        self.group = group
        self.name = name
    }

    /// Returns nil if the account does not exist.
    package init?(named name: String) {
        unsafe self.init { unsafe getpwnam_r(name, $0, $1, $2, $3) }
    }

    package init?(id: UInt32) {
        unsafe self.init { unsafe getpwuid_r(id, $0, $1, $2, $3) }
    }

    private typealias Lookup = (
        UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
    ) -> Int32

    private init?(_ lookup: Lookup) {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 16 * 1024)
        let user: User? = unsafe text.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, unsafe lookup(&entry, start, buffer.count, &found) == 0, unsafe found != nil else {
                return nil
            }
            return unsafe User(id: entry.pw_uid, group: entry.pw_gid, name: String(cString: entry.pw_name))
        }
        guard let user else { return nil }
        self = user
    }
}
