internal import Arguments

extension FeedCommands {
    /// `vitrine feed edit`.
    var edit: Command {
        Command(
            "edit", "Opens a draft in an editor, and saves it once it is right.",
            discussion: """
                The editor is VISUAL or EDITOR. What is wrong with what was written is told in lines that begin with //! above it, and the editor \
                opens again; leaving them as they are gives up, and says where the text is. What somebody else has saved meanwhile is merged with it: \
                sections by their keys and pins by their slots, and what both changed is marked.
                """,
            examples: [
                Example("vitrine feed edit today", "Opens the draft of a feed."),
                Example("vitrine feed edit today --line night-market", "That of a takeover."),
                Example("vitrine feed edit today --dry-run", "Shows what would be different, and saves nothing."),
            ],
            operands: [FeedOptions.feed], options: DraftEditor.options
        ) { invocation in
            try EditorSession(console: console, part: .whole, invocation).run()
        }
    }
}
