import type { CommandContext } from '../devnode/command/command.js'
import { ChainError } from '../errors/chain-error.js'
import type { ChainLogger } from '../platform/port.js'
import { createJsonLogger } from './feed/json-logger.js'

/** A subcommand that runs until it is interrupted. */
export interface Service<Flags> {
  readonly name: string
  /** Null for `--help`. Throws `ChainError` (`invalid-option`). */
  readonly readFlags: (args: readonly string[], env: Readonly<Record<string, string | undefined>>) => Flags | null
  readonly formatHelp: () => string
  readonly run: (interrupted: () => Promise<void>, flags: Flags, logger: ChainLogger) => Promise<void>
}

/**
 * Runs a service until SIGINT or SIGTERM; resolves to 0 then, and to 1 for a failure that attempts cannot mend.
 */
export async function runService<Flags>(
  { name, readFlags, formatHelp, run }: Service<Flags>,
  args: readonly string[],
  context: CommandContext,
): Promise<number> {
  try {
    const flags = readFlags(args, process.env)
    if (flags === null) context.print(formatHelp())
    else
      await run(
        () => context.untilInterrupted(),
        flags,
        createJsonLogger((line) => context.print(line)),
      )
    return 0
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    context.printError(`vue-chain ${name}: ${error.message}${error.details === '' ? '' : ` (${error.details})`}.`)
    if (error.hint !== undefined) context.printError(error.hint)
    return 1
  }
}
