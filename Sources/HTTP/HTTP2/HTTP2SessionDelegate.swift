/// Is told what comes on a session of HTTP/2, and asked for what is to be sent.
protocol HTTP2SessionDelegate: AnyObject {
    func beginHead(_ id: Int32)
    func addField(_ id: Int32, _ name: Span<UInt8>, _ value: Span<UInt8>)
    func completeHead(_ id: Int32, hasBody: Bool)
    /// False where they still have to be taken, which `consume` is told of.
    func addData(_ id: Int32, _ bytes: Span<UInt8>) -> Bool
    func completeBody(_ id: Int32)
    func close(_ id: Int32)
    /// How many bytes of at most so many are ready, and whether they are the last; nil to be asked again after `resume`.
    func available(_ id: Int32, _ limit: Int) -> (count: Int, isLast: Bool)?
    /// The header of a frame of data, which so many bytes of the stream follow; false where there is no room for now.
    func sendData(_ id: Int32, _ header: Span<UInt8>, _ count: Int) -> Bool
}
