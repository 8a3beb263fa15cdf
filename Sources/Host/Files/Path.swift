internal import Glibc

package enum Path {
    package static func join(_ folder: String, _ name: String) -> String {
        if name.utf8.first == UInt8(ascii: "/") { return name }
        return folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
    }

    /// Returns the folder that contains `path`: "." for a bare name, "/" for the root.
    package static func parent(of path: String) -> String {
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == bytes.startIndex ? "/" : String(Substring(bytes[..<slash]))
    }

    /// Returns the absolute path without resolving links.
    package static func absolute(_ path: String) throws(HostError) -> String {
        join(try currentDirectory(), path)
    }

    /// Returns the absolute path with every link resolved. The file must exist.
    package static func resolved(_ path: String) throws(HostError) -> String {
        guard let real = unsafe realpath(path, nil) else { throw HostError(errnoOf: "find", path) }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// Returns the target of a link, or nil if it is not a link or cannot be read.
    package static func target(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package static func currentDirectory() throws(HostError) -> String {
        guard let current = unsafe getcwd(nil, 0) else { throw HostError(errnoOf: "find", "the current folder") }
        defer { unsafe free(current) }
        return unsafe String(cString: current)
    }
}
