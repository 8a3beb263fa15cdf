/// An experiment that gives some client no arm, several arms or an arm that does not exist.
///
/// The routes and the database refuse each one of `all`, and readers of pages omit it.
package struct BrokenExperiment: Sendable {
    /// The part that is wrong.
    package enum Part: Sendable, Hashable {
        case arms, names, defaultArm, winner
    }

    package let name: String
    package let part: Part
    /// The arms as JSON.
    package let arms: String
    /// The default, or nil if it is missing.
    package let defaultArm: String?
    /// The winner of the concluded experiment, or nil if it is missing. Of the other parts, the experiment is a draft.
    package let winner: String?

    /// The body of a request that saves the experiment.
    package var body: String { #"{"arms": \#(arms)\#(defaultArm.map { #", "default": "\#($0)""# } ?? "")}"# }

    /// The experiment as an entry of a page.
    package var entry: String {
        let state = part == .winner ? #""concluded"\#(winner.map { #", "winner": "\#($0)""# } ?? "")"# : #""draft""#
        return #"{"salt": "s", "state": \#(state), \#(body.dropFirst())"#
    }

    /// A valid experiment with the same arms, which is broken only by its winner.
    package static let halves = #"{"a": [[0, 50]], "b": [[50, 100]]}"#

    package static let all = gaps + overlaps + others + names + defaults + winners

    /// An experiment for each place that no arm has.
    private static let gaps = (0..<100).map { place in
        Self("no arm at \(place)", .arms, #"{"a": \#(ranges(0..<place)), "b": \#(ranges((place + 1)..<100))}"#)
    }

    /// Two experiments for each place that two arms, or two ranges of an arm, have.
    private static let overlaps = (0..<100).flatMap { place in
        [
            Self("two arms at \(place)", .arms, #"{"a": \#(ranges(0..<(place + 1))), "b": \#(ranges(place..<100))}"#),
            Self("an arm twice at \(place)", .arms, #"{"a": \#(ranges(0..<100, place..<(place + 1)))}"#),
        ]
    }

    private static let others: [Self] = [
        "{}", "[]", "null", #""a""#, #"{"a": []}"#, #"{"a": null}"#, #"{"a": {"from": 0, "to": 100}}"#, #"{"a": [0, 100]}"#,
        #"{"a": [[]]}"#, #"{"a": [[0]]}"#, #"{"a": [[0, 50, 100]]}"#, #"{"a": [[0, 101]]}"#, #"{"a": [[-1, 100]]}"#, #"{"a": [[100, 0]]}"#,
        #"{"a": [[0, 50], [50, 50], [50, 100]]}"#, #"{"a": [[0, 50.5], [50.5, 100]]}"#, #"{"a": [["0", "100"]]}"#, #"{"a": [[null, 100]]}"#,
        #"{"a": [[0, 100]], "b": [[0, 100]]}"#, #"{"a": [[50, 100], [0, 51]]}"#,
    ].map { Self("the arms \($0)", .arms, $0) }

    /// Experiments that are broken only by a name, which readers of pages accept.
    private static let names = ["not a name", "", "ä", String(repeating: "a", count: 65)].map { name in
        Self("the name '\(name)'", .names, #"{"a": [[0, 100]], "\#(name)": []}"#)
    }

    private static let defaults = [nil, "c", "A", "", "a "].map { arm in
        Self(arm.map { "the default '\($0)'" } ?? "no default", .defaultArm, halves, defaultArm: arm)
    }

    private static let winners = [nil, "c", "B", "", "b "].map { arm in
        Self(arm.map { "the winner '\($0)'" } ?? "no winner", .winner, halves, winner: arm)
    }

    private init(_ name: String, _ part: Part, _ arms: String, defaultArm: String? = "a", winner: String? = nil) {
        (self.name, self.part, self.arms, self.defaultArm, self.winner) = (name, part, arms, defaultArm, winner)
    }

    private static func ranges(_ ranges: Range<Int>...) -> String {
        "[\(ranges.filter { !$0.isEmpty }.map { "[\($0.lowerBound), \($0.upperBound)]" }.joined(separator: ", "))]"
    }
}
