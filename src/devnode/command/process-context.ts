import { once } from 'node:events'
import type { CommandContext } from './command.js'

/**
 * The functions of this process. What reads its output may end before it, as in `| head -1`: further lines are dropped,
 * and the command goes on to its usual end. For a service they are only a log.
 */
export function createProcessContext(): CommandContext {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  return {
    print: (line) => void process.stdout.write(`${line}\n`),
    printError: (line) => void process.stderr.write(`${line}\n`),
    async untilInterrupted() {
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    },
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}
