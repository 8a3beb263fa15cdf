// What a test cannot do in its own process: end it, or count its descriptors while other tests open theirs.
let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "late-job": try await LateJob.run()
case "failing-connections": try await FailingConnections.run(server: arguments[2])
case "stubborn-handler": try StubbornHandler.run(holdsLoop: arguments[2] == "blocks")
case "held-loop": try HeldLoop.run()
case "abandoned-server": try AbandonedServer.run(in: arguments[2])
default: fatalError("there is no such scenario")
}
