import { ChainError } from '../../errors/chain-error.js'
import { loadPackage } from '../../loading/load-code.js'
import { formatEngineFlags, readEngineFlags } from '../engine-flags.js'
import type { RunSubcommand } from '../run-cli.js'

/**
 * `vue-chain mcp`: a server of the Model Context Protocol on standard input and output, until the client closes it.
 * Resolves to 0 then, to 2 for a command line that cannot be read, to 1 where the package of the protocol is missing.
 */
export const runMcp: RunSubcommand = async (args, context) => {
  try {
    const flags = readEngineFlags(args)
    if (flags === null) {
      context.print(HELP)
      return 0
    }
    const { serveStdio } = await loadPackage('@modelcontextprotocol/sdk', () => import('./stdio.js'))
    await serveStdio(flags, context.untilInterrupted())
    return 0
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    context.printError(`vue-chain mcp: ${error.message}. ${error.hint ?? ''}`.trimEnd())
    return error.code === 'package-missing' ? 1 : 2
  }
}

const HELP = [
  'vue-chain mcp: tools for assistants (Model Context Protocol, stdio): documentation, errors, payments, queries, a devnode.',
  '',
  ...formatEngineFlags(),
  '',
  'No tool takes a key, submits a transaction, or changes anything but a devnode that this process started.',
].join('\n')
