/// A body that comes while its request is answered.
final class IncomingBody {
    let reader: BodyReader
    let upload: Upload
    var patience: UploadTimeout
    /// Whether nobody wants it yet, so that no more of it is read.
    var isHeldBack: Bool
    /// Whether its client waits to be told that somebody wants it.
    var expectsContinue: Bool

    init(_ reader: BodyReader, _ upload: Upload, patience: Duration, isHeldBack: Bool = false, expectsContinue: Bool = false) {
        self.reader = reader
        self.upload = upload
        self.patience = UploadTimeout(patience)
        self.isHeldBack = isHeldBack
        self.expectsContinue = expectsContinue
    }
}
