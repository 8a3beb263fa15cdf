internal import JSON

/// Solves a layout on every screen, in both directions, and reports errors and visible defects.
package struct LayoutLint: Sendable {
    package var matrix: ScreenMatrix
    package var configuration: PageConfiguration
    /// The number of items of the section, which decides whether the last group is filled. At least one item is used.
    package var itemCount: Int

    package init(_ matrix: ScreenMatrix, configuration: PageConfiguration = PageConfiguration(), itemCount: Int = 20) {
        self.matrix = matrix
        self.configuration = configuration
        self.itemCount = itemCount
    }

    /// Returns the findings, errors first. The pointers lead into the expansion as it is written.
    package func findings(in expansion: Expansion) -> [Finding] {
        var findings: [Finding] = []
        // A section can have thousands of variants, so each condition is evaluated once for each screen.
        let shown = matrix.screens.map { expansion.location(shownOn: $0) }
        let shownForLargeText = matrix.screens.map { expansion.location(shownOn: $0.withLargestText) }
        for (location, layout, omitted) in expansion.locations {
            let screens = matrix.screens.indices.filter { location.isAlternate || location == shown[$0] }
            var collector = FindingCollector(location: location, screenCount: screens.count)
            for index in screens {
                let screen = matrix.screens[index]
                let isForLargeText = location.isAlternate || location == shownForLargeText[index]
                examine(layout.section, on: screen, isForLargeText: isForLargeText, &collector)
                if omitted.contains(where: { $0.holds(in: screen.environment) }) {
                    collector.turn(to: screen, .leftToRight)
                    collector.note(
                        .unusedVariant, at: [],
                        "The form has another layout for this screen, but an alternate has one layout for all screens, so it is never shown."
                    )
                }
            }
            findings += collector.findings
        }
        return findings.filter { $0.code.severity == .error } + findings.filter { $0.code.severity == .warning }
    }

    private func examine(
        _ section: LayoutSection, on screen: Screen, isForLargeText: Bool, _ collector: inout FindingCollector
    ) {
        for direction in [LayoutEnvironment.LayoutDirection.leftToRight, .rightToLeft] {
            collector.turn(to: screen, direction)
            var environment = screen.environment
            environment.layoutDirection = direction
            let content = SectionContent(layout: section, itemCount: max(itemCount, 1))
            do throws(LayoutError) {
                let page = try SolvedPage(solving: [content], configuration: configuration, in: environment)
                // A mirrored page has the same findings.
                guard direction == .leftToRight, let solved = page.sections.first else { continue }
                SectionLinter(of: section, solved, in: environment, itemCount).run(&collector)
                if isForLargeText { TextRowLinter(section).run(&collector) }
            } catch {
                collector.note(error)
            }
        }
    }
}

extension Expansion {
    /// The location of a layout in the expansion as it is written.
    enum Location: Hashable {
        case own, variant(Int), alternate(Name)

        var pointer: JSONPointer {
            switch self {
            case .own: .root
            case .variant(let index): JSONPointer.root.appending("variants").appending(index).appending("layout")
            case .alternate(let name): JSONPointer.root.appending("alternates").appending(name.text).appending("layout")
            }
        }

        /// Whether every screen offers the layout.
        fileprivate var isAlternate: Bool { if case .alternate = self { true } else { false } }
    }

    /// All layouts, and the conditions under which the form of an alternate has another one.
    fileprivate var locations: [(Location, LayoutDescriptor, omitted: [Condition])] {
        [(.own, layout, [])] + variants.enumerated().map { (.variant($0.offset), $0.element.layout, []) }
            + alternates.map { (.alternate($0.name), $0.layout, $0.omitted) }
    }

    /// Returns the location of the layout that a screen shows before the user chooses an alternate.
    fileprivate func location(shownOn screen: Screen) -> Location {
        variants.firstIndex { $0.condition.holds(in: screen.environment) }.map { .variant($0) } ?? .own
    }
}

package struct Screen: Sendable, Hashable {
    package let name: String
    package let title: String
    /// The environment in left-to-right direction.
    package let environment: LayoutEnvironment

    fileprivate var withLargestText: Screen {
        var environment = environment
        environment.textSize = .largest
        return Screen(name: name, title: title, environment: environment)
    }
}

/// The screens that every layout must support.
package struct ScreenMatrix: Sendable, Hashable {
    package let screens: [Screen]

    package init(screens: [Screen]) { self.screens = screens }

    package subscript(name: String) -> Screen? { screens.first { $0.name.utf8.elementsEqual(name.utf8) } }
}

extension LayoutItem {
    /// Whether the extent depends on the content. False on an axis that the group imposes.
    func isOpen(_ axis: Axis, imposed: Axis?) -> Bool { size[axis].isEstimated && axis != imposed }

    /// Returns the axis on which the group imposes equal shares on its children, or nil.
    func axisImposed(on group: LayoutGroup, imposed: Axis?) -> Axis? {
        if case .equal = group.fill, !isOpen(group.axis, imposed: imposed) { group.axis } else { nil }
    }
}
