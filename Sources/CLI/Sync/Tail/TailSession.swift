internal import Arguments
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Host
internal import JSON
internal import Resolve
internal import Values
internal import VitrineClient

/// One run of `sync tail`, which sends requests, stores the changes and prints them.
final class TailSession {
    private let options: TailOptions
    private let console: Console
    private let loop: EventLoop
    private let client: SyncClient
    private let file: CopyJournal
    private var follower: SyncEngine
    private var status: TailProgressPrinter
    private var random = SystemRandomNumberGenerator()
    private var timeout: TailRetryPolicy
    private var isFirstLoad: Bool
    /// The pages that were printed last, by feed. A page is nil if the feed is not live.
    private var pages: [String: CopiedPage?] = [:]
    /// Whether a program still reads the output.
    private var isRead = true

    init(_ options: TailOptions, console: Console, on loop: EventLoop) throws {
        self.options = options
        self.console = console
        self.loop = loop
        let (file, copy) = try CopyJournal.open(options.path, options.scope)
        self.file = file
        client = SyncClient(client: try HTTPClient(options.server, on: loop), scope: options.scope)
        follower = SyncEngine(copy, limit: options.limit, wait: options.endsAtHead || options.verifies ? 0 : 25)
        timeout = TailRetryPolicy(isBounded: options.endsAtHead || options.verifies)
        status = TailProgressPrinter(console: console)
        isFirstLoad = copy.isFirstLoad
    }

    func run() async throws -> ExitCode {
        console.printStatus("\(options.scope) at \(options.server), local copy in \(file.path) (\(follower.copy.count) entities)\n")
        if options.verifies { return try await verify() }
        while isRead, !(options.endsAtHead && follower.isUpToDate) { try await step() }
        return .ok
    }

    // MARK: Following

    private func step() async throws {
        switch follower.next() {
        case .pause(let seconds): try await loop.sleep(until: .after(.seconds(seconds)), named: "sync tail: pause")
        case .send(let request):
            let start = ContinuousClock.now
            let response = try await client.send(request)
            try timeout.handle(response, to: request)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let progress: SyncUpdate
            do throws(SyncError) { progress = try follower.handle(response, after: seconds, using: &random) } catch {
                throw TailError(error, file.path)
            }
            try keep(progress)
        }
    }

    /// Stores a change and then prints it, so that a crash cannot undo printed changes.
    private func keep(_ progress: SyncUpdate) throws {
        try file.append(progress.edits, of: follower.copy)
        if let viewer = options.viewer {
            if follower.isUpToDate { try showPages(to: viewer) }
        } else if options.format == .jsonl || !isFirstLoad {
            // In a first load everything is new, so the lines would have no value for a user.
            try show(progress.changes)
        }
        isFirstLoad = follower.copy.isFirstLoad
        for note in progress.notes { status.report(note, of: follower.copy) }
    }

    /// Prints the pages that changed. A copy that is not up to date can have parts of two pages.
    private func showPages(to viewer: ClientFacts) throws {
        var text: [UInt8] = []
        for feed in options.scope.feeds ?? [] {
            let page = try follower.copy.page(of: feed, for: viewer)
            guard pages.updateValue(page, forKey: feed) != .some(page) else { continue }
            let printed = TailPage(feed: feed, page: page, version: follower.copy.version, time: Timestamp(clamping: SystemInfo.wallClock))
            text += options.format == .jsonl ? try printed.json() + [0x0A] : Array(printed.text(follower.copy).utf8)
        }
        guard !text.isEmpty, !options.verifies, isRead else { return }
        status.clear()
        isRead = try StandardStream.output.deliver(text)
    }

    private func show(_ changes: [CopyChange]) throws {
        guard !changes.isEmpty, !options.verifies, isRead else { return }
        let time = Timestamp(clamping: SystemInfo.wallClock)
        var text: [UInt8] = []
        switch options.format {
        case .text:
            let isColored = console.isColored(.output)
            for change in changes { text += Array(TailChange(change: change, time: time).line(isColored: isColored).utf8) }
        case .jsonl: for change in changes { text += try TailChange(change: change, time: time).json() + [0x0A] }
        }
        status.clear()
        isRead = try StandardStream.output.deliver(text)
    }

    // MARK: Verification

    private func verify() async throws -> ExitCode {
        var wrong = try await compare()
        if let found = wrong, options.repairs {
            console.printStatus("\(found.text)\n")
            try keep(follower.requestVerification())
            while !follower.isUpToDate { try await step() }
            wrong = try await compare()
        }
        let copy = follower.copy
        let proof = CopyVerification(entries: copy.count, version: copy.version, digest: copy.digest.description, wrong: wrong)
        try StandardStream.output.write(options.format == .jsonl ? try proof.json() + [0x0A] : Array(proof.text.utf8))
        return wrong == nil ? .ok : .failed
    }

    /// Compares the digests at equal heads, and waits while the head moves; nil if the local copy is correct.
    private func compare() async throws -> CopyVerification.Wrong? {
        for _ in 0..<200 {
            repeat { try await step() } while !follower.isUpToDate
            let head = HeadResponse(try await body(of: .head))
            if let head, head.head == follower.copy.version {
                if head.digest == follower.copy.digest.description, head.entries == follower.copy.count { return nil }
                return try await differences()
            }
            try await loop.sleep(until: .after(.milliseconds(Int.random(in: 50...300))), named: "sync tail: another head")
        }
        throw TailError(
            message: "cannot verify the copy while the server publishes changes", advice: "try again later", exitCode: .failed)
    }

    private func differences() async throws -> CopyVerification.Wrong {
        guard let comparison = CopyComparison(try await body(of: .digests), with: follower.copy), !comparison.buckets.isEmpty,
            let differences = comparison.differences(try await body(of: comparison.request), with: follower.copy)
        else { return CopyVerification.Wrong(buckets: 0, differences: []) }
        return CopyVerification.Wrong(buckets: comparison.buckets.count, differences: differences)
    }

    /// Sends a request until it succeeds. Returns an empty body if the server rejects it as invalid.
    private func body(of request: SyncRequest) async throws -> [UInt8] {
        while true {
            let response = try await client.send(request)
            try timeout.handle(response, to: request)
            switch response {
            case .response(200, _, let body): return body
            case .response(400, _, _): return []
            case .response, .unreachable: try await loop.sleep(until: .after(.seconds(1)), named: "sync tail: pause")
            }
        }
    }
}

extension TailError {
    fileprivate init(_ failure: SyncError, _ path: String) {
        message = failure.message
        switch failure.code {
        case .invalidCursor:
            advice = "another program changed the copy, or the keys of the server changed; remove \(path) to load a new copy"
            exitCode = .invalid
        case .scopeMismatch:
            advice = "the cursor in \(path) belongs to another sync scope; choose another file with --copy"
            exitCode = .invalid
        case .refused:
            advice = ""
            exitCode = failure.status == 404 ? .notFound : .invalid
        case .unreadable:
            advice = "check that the address belongs to a Vitrine server, and check the proxies in between"
            exitCode = .failed
        }
    }
}

struct SyncClient {
    /// The time in seconds that a response may take beyond the requested wait.
    private static let timeout = 30

    let client: HTTPClient
    let scope: CopyScope

    /// Sends a request. Throws only if it is canceled, or if the server is not trusted, so that waiting does not help.
    func send(_ request: SyncRequest) async throws(HTTPClientError) -> SyncResponse {
        let deadline = Deadline.after(.seconds(request.timeout + Self.timeout))
        do throws(HTTPClientError) {
            let response = try await client.send(
                OutboundRequest(request.target(in: scope), fields: fields(for: request)), until: deadline)
            return .response(status: response.status.rawValue, retryAfter: response.retryAfter, body: response.body)
        } catch {
            switch error.code {
            case .cancelled, .untrusted: throw error
            default: return .unreachable("\(error)")
            }
        }
    }

    private func fields(for request: SyncRequest) -> [(name: FieldName, value: String)] {
        let accepted: (name: FieldName, value: String) = (name: "accept", value: "application/json")
        // Caches keep documents for minutes, and the requested ones have changed.
        if case .items = request { return [accepted, (name: "cache-control", value: "no-cache")] }
        return [accepted]
    }
}

/// A change as `sync tail` prints it.
struct TailChange: JSONObjectEncodable {
    let change: CopyChange
    let time: Timestamp

    func encodeMembers(to json: inout JSONWriter) {
        json.member("time", time.description)
        json.member("change", change.kind.rawValue)
        json.member("kind", change.key.kind)
        json.member("id", change.key.id)
        json.member("version", change.version)
        json.member("hash", change.after?.hash)
        json.member("data", rendered: change.after?.data)
    }

    /// Returns a line such as `09:30:00.123 + item Harbor Notes (6441)`.
    func line(isColored: Bool) -> String {
        let (mark, color) =
            switch change.kind {
            case .added: ("+", "\u{1B}[32m")
            case .changed: ("~", "\u{1B}[33m")
            case .removed: ("-", "\u{1B}[31m")
            }
        let text = "\(mark) \(change.key.kind.printable(limit: 40)) \(title.printable(limit: 120)) (\(change.version))"
        return "\(time.timeOfDay) " + (isColored ? "\(color)\(text)\u{1B}[0m" : text) + "\n"
    }

    /// The title of the entity, or its ID if it has no title.
    private var title: String {
        guard let data = (change.after ?? change.before)?.data else { return change.key.id }
        do throws(JSONError) {
            let root = try JSONDocument(parsing: data, limits: .ownOutput).root
            return root["title"]?.string ?? change.key.id
        } catch { return change.key.id }
    }
}

/// The reason that `sync tail` ends early, for standard error.
struct TailError: Error {
    let message: String
    let advice: String
    let exitCode: ExitCode
}
