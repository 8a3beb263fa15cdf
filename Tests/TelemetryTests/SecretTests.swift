import JSON
import Telemetry
import Testing

@Suite("A secret")
struct SecretTests {
    private struct Holder {
        let name = "holder"
        let secret = Secret("hunter2")
        let list = [Secret("hunter2")]
        let table = [Secret("hunter2"): Secret("hunter2")]
        let optional: Secret? = Secret("hunter2")
    }

    @Test("A secret is shown only through its `exposed` property")
    func hidden() throws {
        var dumped = ""
        dump(Holder(), to: &dumped)
        dump(Secret("hunter2"), to: &dumped)
        let printed = [
            "\(Secret("hunter2"))", "\(Holder())", String(reflecting: Secret("hunter2")), String(reflecting: Holder()), dumped,
            "\(Mirror(reflecting: Secret("hunter2")).children.map { "\($0)" })",
            String(decoding: try Secret("hunter2").json(), as: UTF8.self),
        ]
        for text in printed { #expect(!text.contains("hunter2")) }
        #expect("\(Secret("hunter2"))" == "•••")
        #expect(Secret("hunter2").exposed == "hunter2")
        #expect(Secret("hunter2") != Secret("hunter3"))
    }
}
