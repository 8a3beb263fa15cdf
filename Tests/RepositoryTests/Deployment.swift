/// The parts of the image and of the compose project that the tests compare.
struct Deployment {
    let image: References
    let compose: References

    /// The packages that the last stage installs.
    var packages: Set<String> { Self.packages(in: image.text.text(afterLast: "\nFROM ")) }

    /// The packages that the earlier stages install.
    var buildPackages: Set<String> { Self.packages(in: image.text.text(beforeLast: "\nFROM ")) }

    private static func packages(in stage: String) -> Set<String> {
        let commands = stage.replacing("\\\n", with: " ").matches(of: /apt-get install ([^&\n]*)/)
        return Set(commands.flatMap { $0.1.split(separator: " ") }.filter { !$0.hasPrefix("-") }.map(String.init))
    }

    /// The commands of the containers: the default of the image and the `command:` of each service.
    var commands: Set<MentionedCommand> {
        let lists = image.matches(of: /(?m)^CMD \[(.*)\]$/) + compose.matches(of: /(?m)^ +command: \[(.*)\]$/)
        let checks = compose.matches(of: /(?m)^ +test: \["CMD", "vitrine", (.*)\]$/)
        return Set((lists + checks).compactMap { MentionedCommand("vitrine " + $0.replacing("\"", with: "").replacing(",", with: "")) })
    }

    /// The paths of the repository that the build copies.
    var copied: Set<String> {
        let sources = image.matches(of: /(?m)^COPY (?!--from)(.*) [^ ]+$/)
        return Set(sources.flatMap { $0.split(separator: " ").map(String.init) })
    }

    /// Every mention of the container's port for clients.
    var ports: [String] {
        image.matches(of: /(?m)^EXPOSE (\d+)$/) + image.matches(of: /VITRINE_LISTEN=[0-9.]+:(\d+)/)
            + compose.matches(of: /(?m)^ +- "[^"]*:(\d+)"$/)
    }

    /// Every mention of the container's port for operators and health checks.
    var operationsPorts: [String] {
        image.matches(of: /VITRINE_OPERATIONS_LISTEN=127\.0\.0\.1:(\d+)/) + compose.matches(of: /\/dev\/tcp\/127\.0\.0\.1\/(\d+)/)
    }

    var secretsRead: Set<String> { Set(compose.matches(of: /\/run\/secrets\/([a-z-]+)/)) }

    /// The files of the repository that are mounted into containers.
    var mounted: Set<String> { Set(compose.matches(of: /(?m)^ +- \.\/([^:]+):[^:]+:ro$/)) }
}

extension String {
    /// Returns the text after the last occurrence of `mark`.
    fileprivate func text(afterLast mark: String) -> String {
        ranges(of: mark).last.map { String(self[$0.upperBound...]) } ?? self
    }

    /// Returns the text before the last occurrence of `mark`.
    fileprivate func text(beforeLast mark: String) -> String {
        ranges(of: mark).last.map { String(self[..<$0.lowerBound]) } ?? ""
    }
}
