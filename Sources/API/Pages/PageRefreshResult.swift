package import Feeds

/// What reading anew what is published has brought.
package struct PageRefreshResult: Sendable {
    /// Whether anything is shown in another way.
    package internal(set) var isChanged = false
    package internal(set) var mistakes: [UnreadablePublication] = []
}
