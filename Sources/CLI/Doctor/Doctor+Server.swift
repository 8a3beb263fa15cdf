import Host

extension Doctor {
    var server: [Check] {
        do {
            let session = RemoteSession(console: console)
            let chosen = try session.chosen(session.environmentWords())
            let found = "\(chosen.server), \(chosen.origin), with \(chosen.token)\(chosen.scene)"
            guard chosen.mayHaveToken || chosen.token == .nowhere else {
                return [
                    .attention(
                        "server", found, "A token does not go over http to another machine: use https, or a profile that is --insecure.")
                ]
            }
            guard case .file(let path, _) = chosen.token, path != "-" else { return [.ok("server", found)] }
            guard Files.may(.read, path) else {
                return [.attention("server", found, "\(path) cannot be read by \(User.current.name): correct the path or its rights.")]
            }
            let isOpen = FileStatus(following: path).map { $0.mode & 0o044 != 0 } ?? false
            return [isOpen ? .note("server", found, "Others can read \(path): chmod 600 keeps the token from them.") : .ok("server", found)]
        } catch let failure as RemoteError {
            return [.attention("server", failure.message, failure.advice)]
        } catch {
            return [.attention("server", "\(error)", "Look at \(ProfileFile(console.environment)?.path ?? "the profiles").")]
        }
    }
}

extension ServerSelection {
    fileprivate var scene: String {
        let words = [profile?.storefront.map { "the storefront \($0)" }, profile?.locale.map { "the language \($0)" }].compactMap(\.self)
        return words.isEmpty ? "" : "; commands that are told no other show \(words.joined(separator: " and "))"
    }
}
