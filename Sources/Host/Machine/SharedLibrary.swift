internal import Glibc

/// A library that the system may have, looked at without being linked.
package enum SharedLibrary {
    /// What a function without parameters says that returns a text, as `zlibVersion` does; nil where the library or the function is not there.
    package static func text(of symbol: String, in library: String, argument: Int32 = 0) -> String? {
        unsafe withSymbol(symbol, in: library) { address in
            typealias Function = @convention(c) (Int32) -> UnsafePointer<CChar>?
            guard let text = unsafe unsafeBitCast(address, to: Function.self)(argument) else { return nil }
            return unsafe String(cString: text)
        }
    }

    /// As `text(of:in:)`, for a function that returns a number.
    package static func number(of symbol: String, in library: String) -> Int? {
        unsafe withSymbol(symbol, in: library) { address in
            typealias Function = @convention(c) () -> Int32
            return unsafe Int(unsafeBitCast(address, to: Function.self)())
        }
    }

    package static func isInstalled(_ library: String) -> Bool {
        guard let handle = unsafe dlopen(library, RTLD_LAZY | RTLD_LOCAL) else { return false }
        unsafe dlclose(handle)
        return true
    }

    private static func withSymbol<Result>(_ symbol: String, in library: String, _ body: (UnsafeMutableRawPointer) -> Result?) -> Result? {
        guard let handle = unsafe dlopen(library, RTLD_LAZY | RTLD_LOCAL) else { return nil }
        defer { unsafe dlclose(handle) }
        guard let address = unsafe dlsym(handle, symbol) else { return nil }
        return unsafe body(address)
    }
}
