package import JSON
package import Resolve
internal import Values

/// An experiment of the registry, with its key.
package struct RegisteredExperiment: Sendable, Hashable {
    package let key: String
    package let experiment: Experiment

    package init(key: String, _ experiment: Experiment) {
        self.key = key
        self.experiment = experiment
    }

    /// Whether the text is a valid key.
    package static func isKey(_ text: String) -> Bool { IdentifierFormat.name.fits(text) }

    /// Whether the text is a valid key of a new experiment. It has no colon, because a verb follows a colon in the paths of
    /// the API, such as `weekend:start`. Former releases accepted colons.
    package static func isNewKey(_ text: String) -> Bool { isKey(text) && !text.contains(":") }
}

extension RegisteredExperiment: JSONObjectDecodable, JSONObjectEncodable {
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        key = try object.value("experiment")
        experiment = try Experiment(&object)
    }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("experiment", key)
        experiment.encodeMembers(to: &json)
    }
}
