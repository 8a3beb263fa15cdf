/// Something that is to run on the loop's thread, with the event that led to it.
struct WorkItem: Sendable {
    enum Body: Sendable {
        case job(UnownedJob)
        case isolatedJob(UnownedJob)
        case call(@Sendable () -> Void)
    }

    let body: Body
    let event: WorkLabel
}
