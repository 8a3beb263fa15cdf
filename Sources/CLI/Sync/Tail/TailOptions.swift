internal import HTTP
internal import VitrineClient

/// What `sync tail` was asked to do.
struct TailOptions: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case human, jsonl
    }

    let server: ServerURL
    let scope: CopyScope
    let path: String
    /// How many changes are asked for at once.
    let limit: Int
    /// Whether it ends as soon as the copy is up to date.
    let endsAtHead: Bool
    let verifies: Bool
    let repairs: Bool
    let format: Format
}
