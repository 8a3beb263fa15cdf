import Arguments
import CLI
import Host

StandardStream.fillClosed()
Signal.noticeChildren()

let console = Console(program: CommandLine.arguments.first ?? "vitrine", environment: Machine.environment)
let tree = VitrineCommand.tree(version: "0.1.0", console: console)

switch tree.outcome(
    of: Array(CommandLine.arguments.dropFirst()), environment: console.environment, page: console.page(for: .output))
{
case .run(let command, let invocation): Machine.exitAtOnce(await console.run(command, invocation).rawValue)
case .text(let text): Machine.exitAtOnce(console.answer(text).rawValue)
case .complete(let request): Machine.exitAtOnce(console.answer(await request.answer()).rawValue)
case .usage(let error):
    console.say(error.text)
    Machine.exitAtOnce(error.exitCode.rawValue)
}
