// The scenarios that a test cannot run in its own process, because they end it or count descriptors that other tests open.
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "late-job": try await LateJob.run()
case "failing-connections": try await FailingConnections.run(server: arguments[2])
case "stubborn-handler": try StubbornHandler.run(holdsLoop: arguments[2] == "blocks")
case "held-loop": try HeldLoop.run()
case "abandoned-server": try AbandonedServer.run(in: arguments[2])
default: fatalError("there is no such scenario")
}
