package import JSON
package import Resolve

/// The experiments and the holdout that decide which arms clients have.
package struct ExperimentRegistry: Sendable, Hashable {
    package var experiments: [String: Experiment]
    /// The holdout, or nil if no client is in it.
    package var holdout: Holdout?

    package init(_ experiments: [String: Experiment] = [:], holdout: Holdout? = nil) {
        self.experiments = experiments
        self.holdout = holdout.flatMap { $0.share > 0 ? $0 : nil }
    }

    /// Returns the part that the page of a document in a storefront uses. The holdout is a part of it only with an
    /// experiment.
    package func used(by document: FeedDocument, in storefront: String) -> ExperimentRegistry {
        let names = document.experiments(in: storefront)
        let used = experiments.filter { names.contains($0.key) }
        return ExperimentRegistry(used, holdout: used.isEmpty ? nil : holdout)
    }

    /// The experiments of a page before the facts about a client are applied.
    package var assignments: [String: Edition.Assignment] { experiments.mapValues { .experiment($0) } }
}

extension FeedDocument {
    /// The keys of the experiments that the targets of sections and pins name.
    package var experiments: Set<String> {
        var names: Set<String> = []
        for section in sections {
            for target in [section.target] + section.pins.map(\.target) {
                if let target { names.formUnion(target.experiments.keys) }
            }
        }
        return names
    }

    /// Returns the keys of the experiments that the targets of sections and pins in a storefront name.
    package func experiments(in storefront: String) -> Set<String> {
        var names: Set<String> = []
        for section in sections(in: storefront) {
            for target in [section.target] + section.pins.map(\.target) {
                if let target, target.isFor(storefront) { names.formUnion(target.experiments.keys) }
            }
        }
        return names
    }

    /// The experiments of the targets as experiments whose arms are unknown until the client is known.
    var undecidedExperiments: [String: Edition.Assignment] {
        var assignments: [String: Edition.Assignment] = [:]
        for section in sections {
            for target in [section.target] + section.pins.map(\.target) {
                for name in target?.experiments.keys.map(\.self) ?? [] {
                    let experiment = Experiment(salt: name, arms: [name: [0..<Place.count]], defaultArm: name, state: .running)
                    assignments[name] = experiment.map { .experiment($0) }
                }
            }
        }
        return assignments
    }
}

extension ExperimentRegistry: JSONObjectDecodable, JSONObjectEncodable {
    /// Reads the registry. A lenient reading omits an experiment that it does not understand.
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let experiments = object.optional("experiments") { json throws(JSONReadError) in try Self.experiments(json) }
        self.init(experiments ?? [:], holdout: object.optional("holdout"))
    }

    private static func experiments(_ json: JSONReader) throws(JSONReadError) -> [String: Experiment] {
        var experiments: [String: Experiment] = [:]
        for value in try json.values() {
            do throws(JSONReadError) {
                experiments[value.key] = try value.decode()
            } catch {
                if json.isStrict { throw error }
            }
        }
        return experiments
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("holdout", holdout)
        json.member("experiments", experiments, unless: [:])
    }
}
