/// A part of all clients, for an experiment: the same client is always in or always out, and being in one experiment says nothing about
/// another.
///
/// Each client has a place from 0 to 99 in each experiment, the remainder by 100 of a hash of `EXPERIMENT/CLIENT` in UTF-8: FNV-1a of 64 bits,
/// then the finalizer of MurmurHash3. Clients do the same: `a` has the place 47 in `weekend` (the hash is 0x98058dd526dce54f) and 73 in `dark-mode`
/// (0xe4a5ba25a4f32689). `docs/feeds.md` has the steps and more examples.
package struct Bucket: Sendable, Hashable {
    package static let places = 100

    package let experiment: String
    /// Not empty, and within 0 to 100.
    package let range: Range<Int>

    package func includes(clientID: String) -> Bool { range.contains(Self.place(of: clientID, in: experiment)) }

    package static func place(of clientID: String, in experiment: String) -> Int {
        Int(hash("\(experiment)/\(clientID)") % UInt64(places))
    }

    static func hash(_ text: String) -> UInt64 {
        var hash = StableHash()
        hash.add(text)
        return hash.value
    }
}
