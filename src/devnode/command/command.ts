import { ChainError } from '../../errors/chain-error.js'
import { createDevnode } from '../create-devnode.js'
import { formatRefusal } from '../format-refusal.js'
import { readFlags } from './flags.js'
import { formatBanner, formatHelp } from './banner.js'

/** The process functions that the command uses. */
export interface CommandContext {
  print(line: string): void
  printError(line: string): void
  /** Resolves on SIGINT (Ctrl-C) or SIGTERM. */
  untilInterrupted(): Promise<void>
}

/** Runs `vue-chain-devnode`; resolves to the exit code. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<0 | 1> {
  try {
    const command = readFlags(args)
    if (command.kind === 'help') {
      context.print(formatHelp())
      return 0
    }
    const interrupted = context.untilInterrupted() // a signal during the start counts
    const devnode = await createDevnode({
      ...command.options,
      onRefused: (refused) => context.print(formatRefusal(refused)),
    })
    if (!command.isQuiet) context.print(formatBanner(devnode))
    await interrupted
    await devnode.close()
    return 0
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    context.printError(`vue-chain-devnode: ${describe(error)}`)
    return 1
  }
}

/** One line: message, flag and hint. */
function describe({ message, argument, hint }: Pick<ChainError, 'message' | 'argument' | 'hint'>): string {
  const flag =
    argument === undefined ? '' : ` (--${argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})`
  return `${message}${flag}. ${hint ?? ''}`.trimEnd()
}
