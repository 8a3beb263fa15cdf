/// A command line as bash's readline sees it up to the cursor.
///
/// Bash splits the words that it passes to a completion function at `=` and `:`, keeps their quotes, and replaces only
/// the last piece. So this type parses the line again by the quoting rules of the shell, without expansion. It then
/// cuts each candidate to the piece that bash replaces.
struct BashLine {
    /// The words without quotes and backslashes. The last one is unfinished and may be empty.
    private(set) var arguments: [String] = []
    private let wordBreaks: String.UnicodeScalarView
    private var word = String.UnicodeScalarView()
    private var isInWord = false
    private var openQuote: Unicode.Scalar?
    /// The length of the part of the last word that precedes the piece that bash replaces.
    private var completedCount = 0

    init(_ line: String, wordBreaks: String) {
        self.wordBreaks = wordBreaks.unicodeScalars
        var scalars = line.unicodeScalars[...]
        while let scalar = scalars.popFirst() { read(scalar, &scalars) }
        arguments.append(String(word))
    }

    /// Returns the lines for the script: the kind of path with its prefix, then each replacement.
    func reply(_ completions: Completions) -> String {
        let path = String((completions.pathPrefix + completions.pathStart).unicodeScalars.dropFirst(completedCount))
        let replacements = completions.candidates
            .filter { !$0.word.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
            .map { quoted($0.word.unicodeScalars.dropFirst(completedCount)) + "\n" }
        return "\(completions.paths.rawValue)\t\(path)\n" + replacements.joined()
    }

    private mutating func read(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView) {
        switch (openQuote, scalar) {
        case (scalar, _):
            (openQuote, completedCount) = (nil, word.count)
        case ("'", _):
            word.append(scalar)
        case ("\"", "\\"):
            if let next = rest.first, !Self.escapableInQuotes.contains(next) { word.append(scalar) }
            if let next = rest.popFirst() { word.append(next) }
        case (nil, "\\"):
            isInWord = true
            if let next = rest.popFirst() { word.append(next) }
        case (nil, "'"), (nil, "\""):
            (isInWord, openQuote, completedCount) = (true, scalar, word.count)
        case (nil, " "), (nil, "\t"), (nil, "\n"):
            endWord()
        default:
            isInWord = true
            word.append(scalar)
            if openQuote == nil, wordBreaks.contains(scalar) { completedCount = word.count }
        }
    }

    private mutating func endWord() {
        guard isInWord else { return }
        arguments.append(String(word))
        (word, isInWord, completedCount) = (String.UnicodeScalarView(), false, 0)
    }

    private func quoted(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            let isEscaped =
                switch openQuote {
                case "'": false
                case .some: Self.escapableInQuotes.contains(scalar)
                case nil: scalar.isASCII && !Self.isPlain(scalar)
                }
            if isEscaped { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    private static var escapableInQuotes: [Unicode.Scalar] { ["\"", "\\", "$", "`"] }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "=", ":", ".", ",", "/", "@", "%", "+": true
        default: false
        }
    }
}
