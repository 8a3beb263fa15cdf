import Security

/// Signs messages that no correct program would sign.
struct SealedByHand {
    let key: UInt8

    func code(_ purpose: String, _ message: [UInt8]) -> [UInt8]? {
        HMACKey((0..<32).map { $0 ^ key }).map { Array($0.code(of: Array(purpose.utf8) + message).prefix(12)) }
    }
}
