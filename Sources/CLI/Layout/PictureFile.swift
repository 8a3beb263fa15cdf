internal import Arguments
internal import Drawing

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

    /// Saves a scene. `converter` is required for PNG, and `json` returns the text of a JSON file.
    func save(_ scene: PreviewScene, _ converter: ImageConverter?, json: () throws -> String) throws {
        switch format {
        case .svg: try AtomicFileWriter(path).write(SVGRenderer(scene).text)
        case .html: try AtomicFileWriter(path).write(HTMLRenderer(scene).text)
        case .png: try converter?.convert(SVGRenderer(scene).text, to: path)
        case .json: try AtomicFileWriter(path).write(try json())
        }
    }
}
