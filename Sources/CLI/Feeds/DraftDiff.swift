internal import Feeds
import Host

/// What an edit makes of a draft.
struct DraftDiff: Sendable {
    let old: FeedDraft
    let new: FeedDraft

    func text(_ console: Console) throws -> String {
        let difference = FeedDiff(from: try old.read(), to: try new.read())
        return DiffText(width: StandardStream.output.width, isColored: console.isColored(.output)).text(difference.lines, margin: 0)
    }
}
