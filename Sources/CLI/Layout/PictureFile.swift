internal import Arguments

/// The file of a `--save` option. Its extension chooses the format.
struct PictureFile {
    enum Format: String {
        case svg, html, png, json
    }

    let path: String
    let format: Format

    /// Creates the file of the option; nil if the option was not given.
    init?(_ invocation: Invocation, _ option: Option<String?>) throws(UsageError) {
        guard let path = invocation[option] else { return nil }
        let name = path.split(separator: "/").last ?? ""
        guard name.contains("."), let format = name.split(separator: ".").last.flatMap({ Format(rawValue: String($0)) }) else {
            throw invocation.usageError("invalid value for '--save': expected a file that ends in .svg, .html, .png or .json")
        }
        (self.path, self.format) = (path, format)
    }

    /// Whether the file shows cells. A JSON file has data only.
    var isPicture: Bool { format != .json }

    /// Writes the file. `text` returns the source of an SVG, HTML or JSON file; PNG requires `converter` and an SVG.
    func save(_ converter: ImageConverter?, text: (Format) throws -> String) throws {
        switch format {
        case .svg, .html, .json: try AtomicFileWriter(path).write(text(format))
        case .png: try converter?.convert(text(.svg), to: path)
        }
    }
}
