internal import VitrineClient

/// Why a file cannot be used for a copy.
enum CopyFileError: Error, Equatable {
    case inUse
    /// It holds something else.
    case isNone
    /// It holds one of another scope.
    case ofAnother(CopyScope)
    /// From this byte on, in front of what is whole.
    case damaged(at: Int)
}
