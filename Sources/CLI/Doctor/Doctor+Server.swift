import Host

extension Doctor {
    var server: [Check] {
        do {
            let session = RemoteSession(console: console)
            let chosen = try session.chosen(session.environmentWords())
            let found = "\(chosen.server) (\(chosen.origin)), \(chosen.token)\(chosen.scene)"
            guard chosen.mayHaveToken || chosen.token == .nowhere else {
                return [
                    .attention(
                        "server", found, "A token is not sent to another machine over http. Use https, or a profile with --insecure.")
                ]
            }
            guard case .file(let path, _) = chosen.token, path != "-" else { return [.ok("server", found)] }
            guard Files.may(.read, path) else {
                return [.attention("server", found, "\(User.current.name) cannot read \(path). Correct the path or its permissions.")]
            }
            let isOpen = FileStatus(following: path).map { $0.mode & 0o044 != 0 } ?? false
            return [isOpen ? .note("server", found, "Other users can read \(path). Run chmod 600 on it.") : .ok("server", found)]
        } catch let failure as RemoteError {
            return [.attention("server", failure.message, failure.advice)]
        } catch {
            return [.attention("server", "\(error)", "Check \(ProfileFile(console.environment)?.path ?? "the profiles").")]
        }
    }
}

extension ServerSelection {
    fileprivate var scene: String {
        let defaults = [profile?.storefront.map { "the storefront \($0)" }, profile?.locale.map { "the locale \($0)" }].compactMap(\.self)
        return defaults.isEmpty ? "" : "; commands default to \(defaults.joined(separator: " and "))"
    }
}
