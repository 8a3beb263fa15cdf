/// Nothing was found where something has to be, so that a test of it would pass without a look at anything.
package struct NothingFound: Error, CustomStringConvertible {
    let place: String
    package var description: String { "nothing was found: \(place)" }
}

/// The elements that a test is about to go through.
///
/// - Throws: ``NothingFound`` if there are none.
package func nonEmpty<Elements: Collection>(_ elements: Elements, _ place: String) throws(NothingFound) -> Elements {
    if elements.isEmpty { throw NothingFound(place: place) }
    return elements
}
