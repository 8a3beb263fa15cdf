internal import EventLoop

/// How long the clients of a server may take, as `ServerLimits` says it.
struct ServerTimeouts {
    let headers: Delay
    let body: Delay
    let idle: Delay
    let write: Delay
    let answer: Delay
    let linger: Delay

    init(_ limits: ServerLimits) {
        headers = Delay(limits.headers)
        body = Delay(limits.body)
        idle = Delay(limits.idle)
        write = Delay(limits.write)
        answer = Delay(limits.answer)
        linger = Delay(limits.linger)
    }
}
