internal import Arguments
internal import Feeds
import Host

/// What an edit makes of a draft.
struct DraftDifference: Sendable {
    let old: FeedDraft
    let new: FeedDraft

    func text(_ console: Console) throws -> String {
        let difference = FeedDifference(from: try old.read(), to: try new.read())
        return DifferenceText(width: StandardStream.output.width, isColored: console.isColored(.output)).text(difference.lines, margin: 0)
    }
}
