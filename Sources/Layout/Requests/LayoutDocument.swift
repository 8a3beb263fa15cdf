/// A document about layouts, as its members tell: a curator's choice, a page to solve, or a page that was composed.
package enum LayoutDocument: Sendable {
    case choice(LayoutChoice)
    case request(SolveRequest)
    case page(LayoutPage)
}
