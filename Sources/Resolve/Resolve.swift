/// Applies facts about a client to a page. The page keeps what depends on unknown facts.
///
/// The facts can come in steps and in any order: `resolve(resolve(page, some), rest)` equals `resolve(page, some +
/// rest)`. The server applies the facts of the URL, and a client applies the others.
package func resolve(_ page: Edition, _ facts: ClientFacts) -> Edition {
    let arms = page.arms(of: facts.client)
    var result = page
    for case (let name, .said(let arm)) in arms { result.experiments[name] = .arm(arm) }
    result.sections = []
    result.sections.reserveCapacity(page.sections.count)
    for section in page.sections {
        guard let section = section.resolved(facts, arms, below: result.sections) else { continue }
        result.sections.append(section)
    }
    return result
}

extension Edition {
    /// Returns the arm of a client in each experiment of the page.
    package func arms(of client: Fact<String>) -> [String: Fact<String>] { experiments.mapValues { $0.arm(of: client, holdout) } }
}

extension Edition.Assignment {
    fileprivate func arm(of client: Fact<String>, _ holdout: Holdout?) -> Fact<String> {
        switch self {
        case .experiment(let experiment): experiment.arm(of: client, holdout)
        case .arm(let arm): .said(arm)
        }
    }
}

extension ResolvableSection {
    /// Returns nil if the client surely does not see the section.
    fileprivate func resolved(_ facts: ClientFacts, _ arms: [String: Fact<String>], below above: [Self]) -> Self? {
        var section = self
        switch target?.ask(facts, arms) {
        case .no?: return nil
        case .yes?, nil: section.target = nil
        case .residual(let target)?: section.target = target
        }
        return section.fill(facts, arms, below: above)
    }
}
