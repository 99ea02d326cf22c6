import { ChainError } from '../../errors/chain-error.js'
import { createDevnode } from '../create-devnode.js'
import { readFlags } from './flags.js'
import { greet, help } from './greeting.js'

/** What the command needs of its process. */
export interface Surroundings {
  print(line: string): void
  printError(line: string): void
  /** Resolves when the user wants it to end: Ctrl-C, or a polite signal. */
  untilInterrupted(): Promise<void>
}

/** Runs `vue-chain-devnode` to its end; resolves to the exit code. */
export async function runCommand(args: readonly string[], surroundings: Surroundings): Promise<0 | 1> {
  try {
    const command = readFlags(args)
    if (command.kind === 'help') {
      surroundings.print(help())
      return 0
    }
    const devnode = await createDevnode(command.options)
    if (!command.isQuiet) surroundings.print(greet(devnode))
    await surroundings.untilInterrupted()
    await devnode.close()
    return 0
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    surroundings.printError(`vue-chain-devnode: ${describe(error)}`)
    return 1
  }
}

/** One line: what is wrong, the flag at fault, and what to do. */
function describe({ message, argument, hint }: Pick<ChainError, 'message' | 'argument' | 'hint'>): string {
  const flag =
    argument === undefined ? '' : ` (--${argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})`
  return `${message}${flag}. ${hint ?? ''}`.trimEnd()
}
