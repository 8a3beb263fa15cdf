internal import Glibc

/// A library that may be installed, queried without linking it.
package enum SharedLibrary {
    /// Returns the result of a function that returns a text, such as `zlibVersion`. nil if the library or the function
    /// does not exist.
    package static func text(of symbol: String, in library: String, argument: Int32 = 0) -> String? {
        unsafe withSymbol(symbol, in: library) { address in
            typealias Function = @convention(c) (Int32) -> UnsafePointer<CChar>?
            guard let text = unsafe unsafeBitCast(address, to: Function.self)(argument) else { return nil }
            return unsafe String(cString: text)
        }
    }

    /// Returns the result of a function that returns a number. nil if the library or the function does not exist.
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
