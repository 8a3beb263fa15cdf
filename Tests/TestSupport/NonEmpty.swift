/// An error about a missing subject, without which a test would pass without testing anything.
package struct NothingFound: Error, CustomStringConvertible {
    let location: String
    package var description: String { "nothing was found: \(location)" }
}

/// Returns the elements that a test is about to check.
///
/// - Throws: ``NothingFound`` if the collection is empty.
package func nonEmpty<Elements: Collection>(_ elements: Elements, _ location: String) throws(NothingFound) -> Elements {
    if elements.isEmpty { throw NothingFound(location: location) }
    return elements
}
