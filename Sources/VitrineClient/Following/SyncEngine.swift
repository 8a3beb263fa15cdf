/// A state machine that keeps a local copy up to date. It decides the next request, and handles the response.
///
/// It works on values, and neither waits nor connects. Its owner sends the requests, pauses, and stores
/// `SyncUpdate.edits` if the copy must survive the process. A response may be lost, repeated or malformed. The copy
/// never applies a part of one.
public struct SyncEngine: Sendable {
    public enum Action: Sendable, Hashable {
        case send(SyncRequest)
        /// Waits this number of seconds before the next action.
        case pause(Double)
    }

    private enum Stage {
        case paging
        case comparing
        case listing
        case fetching
    }

    /// The pause in seconds after an empty page that came too early.
    private static let hastyPause = 1.0
    /// The number of consecutive unreadable responses after which synchronization fails.
    private static let maxUnreadable = 5
    private static let maxRepairs = 3
    /// The number of consecutive pages below the head of a list after which its repair ends.
    private static let maxShortPages = 10

    public private(set) var copy: LocalCopy
    /// The maximum number of changes in one response.
    private let limit: Int
    /// The number of seconds for which the server may hold a request while there are no changes.
    private let wait: Int
    private let keepsData: Bool
    private var stage = Stage.paging
    private var repair: Repair?
    private var repairs = 0
    private var pendingRequest: SyncRequest?
    private var pause: Double?
    private var backoff = Backoff()
    private var unreadable = 0
    private var isAtEnd = false
    /// Whether committed transactions were unpublished when the last page came.
    private var isHeadIncomplete = false
    /// Whether the server refused to hold a request because it holds too many.
    private var isWaitRejected = false

    public init(_ copy: LocalCopy, limit: Int = 1_000, wait: Int = 25, keepsData: Bool = true) {
        self.copy = copy
        self.limit = limit
        self.wait = wait
        self.keepsData = keepsData
    }

    /// Whether the copy equaled a committed state of the server when the last page came, and needs no verification.
    public private(set) var isUpToDate = false

    public mutating func next() -> Action {
        if let pause {
            self.pause = nil
            return .pause(pause)
        }
        let request = self.request
        pendingRequest = request
        return .send(request)
    }

    private var request: SyncRequest {
        switch stage {
        case .paging: .page(cursor: copy.cursor, limit: limit, wait: timeout)
        case .comparing: .digests
        case .listing: .bucketList(bits: repair?.bits ?? 0, buckets: repair?.nextBuckets ?? [])
        case .fetching: .items(repair.map { $0.nextItems.map(\.key.id) } ?? [])
        }
    }

    private var timeout: Int {
        if !isAtEnd || isWaitRejected { return 0 }
        // The head of a list is near.
        guard repair == nil else { return 1 }
        // A long poll that starts after the head became complete reports that only at the end of its wait.
        return isHeadIncomplete ? min(wait, 1) : wait
    }

    /// Requests that the copy is compared with the server's digests, and repaired, when it reaches the head.
    public mutating func requestVerification() -> SyncUpdate {
        var progress = SyncUpdate()
        apply(.distrust, &progress)
        (isUpToDate, isAtEnd, repairs) = (false, false, 0)
        return progress
    }

    /// Handles the response to the last request, which took this number of seconds. After it throws, the engine has
    /// stopped.
    ///
    /// If the time is nil, no pause follows an empty page that came too early.
    public mutating func handle(
        _ response: SyncResponse, after seconds: Double? = nil, using random: inout some RandomNumberGenerator
    ) throws(SyncError) -> SyncUpdate {
        let (wasAtEnd, wasUpToDate) = (isAtEnd, isUpToDate)
        guard let pendingRequest else { preconditionFailure("a response requires a request") }
        self.pendingRequest = nil
        var progress = SyncUpdate()
        switch response {
        case .unreachable(let reason): retry(reason, after: nil, &progress, &random)
        case .response(200, _, let body):
            do throws(ResponseDecoder.InvalidResponse) {
                try handle(body, of: pendingRequest, &progress)
                if wasAtEnd, wasUpToDate || !isUpToDate, let seconds, isEarlyEmptyResponse(pendingRequest, seconds, progress) {
                    pause = Self.hastyPause
                }
                backoff.reset()
                unreadable = 0
            } catch {
                unreadable += 1
                let reason = "the sync response is invalid: \(error.reason)"
                guard unreadable < Self.maxUnreadable else { throw SyncError(code: .unreadable, status: 200, message: reason) }
                retry(reason, after: nil, &progress, &random)
            }
        case .response(410, let seconds, let body): expire(ExpiryResponse(body), after: seconds, &progress, &random)
        case .response(400, _, _) where isBatchTooLarge(pendingRequest): halveBatch(&progress)
        case .response(let status, let seconds, let body):
            try refuse(status, ProblemResponse(body), after: seconds, &progress, &random)
        }
        return progress
    }

    /// Whether an empty page came before its wait ended. Repeating the request without a pause would then loop.
    private func isEarlyEmptyResponse(_ request: SyncRequest, _ seconds: Double, _ progress: SyncUpdate) -> Bool {
        guard case .page(_, _, let wait) = request, stage == .paging, isAtEnd, progress.changes.isEmpty else { return false }
        // A client that does not wait chooses its own pace after it is up to date.
        return wait > 0 ? seconds < Double(wait) : !isUpToDate && seconds < Self.hastyPause
    }

    private mutating func apply(_ edit: CopyMutation, _ progress: inout SyncUpdate) {
        progress.changes += copy.apply(edit)
        progress.edits.append(edit)
    }

    // MARK: Responses

    private mutating func handle(_ body: [UInt8], of request: SyncRequest, _ progress: inout SyncUpdate) throws(ResponseDecoder
        .InvalidResponse)
    {
        switch request {
        case .page(let cursor, _, _): try handle(try PageResponse(body, keepsData: keepsData), after: cursor, &progress)
        case .digests: compare(try DigestsResponse(body), &progress)
        case .bucketList(_, let buckets): handle(try BucketListResponse(body), of: buckets, &progress)
        case .items: handle(try ItemsResponse(body), &progress)
        case .head: break
        }
    }

    private mutating func handle(_ page: PageResponse, after cursor: String?, _ progress: inout SyncUpdate) throws(ResponseDecoder
        .InvalidResponse)
    {
        guard !page.hasMore || page.cursor != cursor && page.version > copy.version else {
            throw ResponseDecoder.InvalidResponse(reason: "a page with more changes does not advance the cursor")
        }
        isWaitRejected = false
        if let list = repair?.list, page.head < list.head { repair?.shortPages += 1 }
        for change in page.changes {
            switch change.operation {
            case .upsert(let content): apply(.save(change.key, version: change.version, content), &progress)
            case .delete: apply(.save(change.key, version: change.version, nil), &progress)
            case .unknown: apply(.distrust, &progress)
            }
        }
        if page.cursor != copy.cursor { apply(.move(cursor: page.cursor, version: page.version), &progress) }
        isAtEnd = !page.hasMore
        isHeadIncomplete = isAtEnd && !page.isUpToDate
        if isAtEnd, copy.isLoading { apply(.endLoad, &progress) }
        resume(&progress)
        // A cached page may be older than parts of the copy.
        isUpToDate = page.isUpToDate && !copy.needsRepair && !copy.isLoading && copy.newest <= page.version
        if isUpToDate {
            progress.notes.append(.upToDate(version: page.version))
        } else if page.hasMore {
            progress.notes.append(.lagging(version: page.version, head: page.head))
        }
    }

    /// Continues after a page, a list or a fetch.
    private mutating func resume(_ progress: inout SyncUpdate) {
        stage = .paging
        guard var repair else {
            if isAtEnd, copy.needsRepair { stage = .comparing }
            return
        }
        if let list = repair.list {
            guard copy.version >= list.head else {
                if repair.shortPages >= Self.maxShortPages { cancel(&progress) }
                return
            }
            let judgment = Repair.judge(list, bits: repair.bits, in: copy)
            for edit in judgment.edits { apply(edit, &progress) }
            guard judgment.missing.allSatisfy({ $0.key.kind == "item" }) else { return startLoad(&progress) }
            repair.list = nil
            repair.missing = judgment.missing
            self.repair = repair
        }
        if !repair.missing.isEmpty {
            stage = .fetching
        } else if !repair.buckets.isEmpty {
            stage = .listing
        } else {
            endRepair(&progress)
        }
    }

    // MARK: Repair

    private mutating func compare(_ digests: DigestsResponse, _ progress: inout SyncUpdate) {
        let buckets = digests.differences(from: copy)
        if !buckets.isEmpty { progress.notes.append(.repairing(buckets: buckets.count)) }
        repair = Repair(bits: digests.bits, buckets: buckets)
        resume(&progress)
    }

    private mutating func handle(_ response: BucketListResponse, of buckets: [Int], _ progress: inout SyncUpdate) {
        // A list without a head cannot prove that an entity was deleted.
        guard let head = response.head else { return startLoad(&progress) }
        // A server lists at least one of the requested buckets, and more if they fit.
        let listed = response.listed.map { Set(buckets).intersection($0) } ?? Set(buckets)
        guard !listed.isEmpty else { return startLoad(&progress) }
        repair?.buckets.removeAll { listed.contains($0) }
        repair?.shortPages = 0
        repair?.list = Repair.List(buckets: listed, head: head, entries: response.entries)
        resume(&progress)
    }

    private mutating func handle(_ response: ItemsResponse, _ progress: inout SyncUpdate) {
        guard var repair else { return }
        for missing in repair.nextItems {
            // A document with a lower version comes from a cache that is older than the list.
            guard let document = response.documents[missing.key.id], document.version >= missing.ownVersion else {
                repair.hasGaps = true
                continue
            }
            apply(
                .repair(missing.key, version: missing.version, CopyContent(hash: missing.hash, data: keepsData ? document.data : nil)),
                &progress)
        }
        repair.missing.removeFirst(repair.nextItems.count)
        self.repair = repair
        resume(&progress)
    }

    /// Cancels a repair whose list is ahead of all pages.
    private mutating func cancel(_ progress: inout SyncUpdate) {
        repair?.hasGaps = true
        endRepair(&progress)
    }

    private mutating func endRepair(_ progress: inout SyncUpdate) {
        let hasGaps = repair?.hasGaps == true
        repair = nil
        repairs += 1
        // An unavailable document may have been withdrawn since, which the next pages report.
        isAtEnd = !hasGaps
        guard !hasGaps else { return repairs < Self.maxRepairs ? () : startLoad(&progress) }
        repairs = 0
        apply(.trust, &progress)
        // Pages may have advanced since the list; only the next one confirms the end.
        isAtEnd = false
        progress.notes.append(.repaired)
    }

    private func isBatchTooLarge(_ request: SyncRequest) -> Bool {
        if case .bucketList = request { true } else { false }
    }

    private mutating func halveBatch(_ progress: inout SyncUpdate) {
        guard let batch = repair?.nextBuckets.count, batch > 1 else { return startLoad(&progress) }
        repair?.batch = batch / 2
    }

    // MARK: Failures

    private mutating func startLoad(_ progress: inout SyncUpdate) {
        apply(.startLoad, &progress)
        (stage, repair, repairs, isAtEnd, isUpToDate) = (.paging, nil, 0, false, false)
    }

    private mutating func expire(
        _ expiry: ExpiryResponse, after seconds: Int?, _ progress: inout SyncUpdate, _ random: inout some RandomNumberGenerator
    ) {
        progress.notes.append(.expired(reason: expiry.reason, isReloaded: expiry.recipe == .full))
        pause = backoff.next(requested: seconds, using: &random)
        (stage, repair, isAtEnd, isUpToDate) = (.paging, nil, false, false)
        switch expiry.recipe {
        case .upserts(let cursor):
            apply(.move(cursor: cursor, version: copy.version), &progress)
            apply(.distrust, &progress)
        case .reconcile(let cursor, let version):
            apply(.cap(version), &progress)
            apply(.move(cursor: cursor, version: version), &progress)
            apply(.distrust, &progress)
        case .full: startLoad(&progress)
        }
    }

    private mutating func refuse(
        _ status: Int, _ problem: ProblemResponse, after seconds: Int?, _ progress: inout SyncUpdate,
        _ random: inout some RandomNumberGenerator
    ) throws(SyncError) {
        let text = problem.detail.isEmpty ? "" : ": \(problem.detail)"
        switch (status, problem.code) {
        case (400, "invalidCursor"): throw SyncError(code: .invalidCursor, status: status, message: "the cursor is invalid\(text)")
        case (400, "cursorScopeMismatch"):
            throw SyncError(code: .scopeMismatch, status: status, message: "the cursor belongs to another sync scope\(text)")
        case (408, _), (429, _), (500..., _):
            if problem.code == "tooManyWaiters" { isWaitRejected = true }
            retry("the server responded with \(status)\(text)", after: seconds, &progress, &random)
        default: throw SyncError(code: .refused, status: status, message: "the server responded with \(status)\(text)")
        }
    }

    private mutating func retry(
        _ reason: String, after seconds: Int?, _ progress: inout SyncUpdate, _ random: inout some RandomNumberGenerator
    ) {
        let pause = backoff.next(requested: seconds, using: &random)
        self.pause = pause
        progress.notes.append(.disconnected(reason, retryAfter: pause))
    }
}
