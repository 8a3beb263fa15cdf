import Arguments
import CLI
import Host

StandardStream.fillClosed()
Signal.noticeChildren()

let console = Console(program: CommandLine.arguments.first ?? "vitrine", environment: SystemInfo.environment)
let tree = VitrineCommand.tree(version: "0.1.0", console: console)

switch tree.outcome(
    of: Array(CommandLine.arguments.dropFirst()), environment: console.environment, page: console.page(for: .output))
{
case .run(let command, let invocation): SystemInfo.exitAtOnce(await console.run(command, invocation).rawValue)
case .text(let text): SystemInfo.exitAtOnce(console.printResult(text).rawValue)
case .complete(let request): SystemInfo.exitAtOnce(console.printResult(await request.response()).rawValue)
case .usage(let error):
    console.printStatus(error.text)
    SystemInfo.exitAtOnce(error.exitCode.rawValue)
}
