internal import Arguments
internal import HTTPMessages

extension ValueFormat where Value == TrustedProxy {
    static var trustedProxy: ValueFormat {
        ValueFormat(
            "PROXY",
            read: { text throws(InvalidValue) in
                guard let proxy = TrustedProxy(text) else {
                    throw InvalidValue(expected: "unix, an address like 192.0.2.1 or ::1, or a network like 10.0.0.0/8")
                }
                return proxy
            },
            write: \.description)
    }
}
