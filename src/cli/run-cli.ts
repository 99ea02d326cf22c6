import type { CommandContext } from '../devnode/command/command.js'
import { SUBCOMMANDS } from './subcommands.js'

/** The exit code of a command line that cannot be read. */
const USAGE_ERROR = 2

/** Runs the command `vue-chain`; resolves to the exit code of the subcommand, 2 for an unknown one. */
export async function runCli([name, ...args]: readonly string[], context: CommandContext): Promise<number> {
  if (name === '--help' || name === '-h') {
    context.print(formatHelp())
    return 0
  }
  const subcommand = name !== undefined && Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
  if (subcommand === undefined) {
    context.printError(name === undefined ? formatHelp() : `vue-chain: unknown subcommand "${name}". See --help.`)
    return USAGE_ERROR
  }
  const run = await subcommand.load()
  return run(args, context)
}

const formatHelp = (): string =>
  [
    'vue-chain <subcommand>: tools for apps on the Kaspa network.',
    '',
    ...Object.entries(SUBCOMMANDS).map(([name, { about }]) => `  ${name.padEnd(8)} ${about}`),
    '',
    'vue-chain <subcommand> --help lists the flags of a subcommand.',
  ].join('\n')
