internal import Items

/// One of the lists that a section is made of.
struct CandidateQuery {
    enum Subject {
        /// What its rule finds.
        case candidates
        /// The headings of items that the rule may not have found.
        case headings
    }

    /// Among the sections that are composed at once.
    let place: Int
    let subject: Subject
    let locale: LocaleTag?
    let request: CandidateRequest
}
