import Admin
import Commands
import Host

let version = "0.1.0"
let console = Console(program: CommandLine.arguments.first ?? "vitrine", environment: Machine.environment)
let tree = VitrineCommand.tree(version: version, console: console)

switch tree.outcome(
    of: Array(CommandLine.arguments.dropFirst()), environment: console.environment, page: console.page(for: .output))
{
case .run(let command, let invocation): Machine.exit(await console.run(command, invocation).rawValue)
case .text(let text): console.print(text)
case .complete(let request): console.print(await request.answer())
case .usage(let error):
    console.say(error.text)
    Machine.exit(error.exitCode.rawValue)
}
