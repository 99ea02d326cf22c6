import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const CLI = resolve(import.meta.dirname, '../../../dist/cli.js')

/** Lets a signal move the clock of a process by up to an hour, forwards or backwards. */
const JUMPING_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const now = Date.now
  let offset = 0
  Date.now = () => now() + offset
  process.on('SIGUSR2', () => { offset = Math.floor((Math.random() - 0.5) * 7_200_000) })
`)}`

/** The command `vue-chain feed` as a process. */
export interface FeedProcess {
  /** All that it has printed. */
  output(): string
  isRunning(): boolean
  signal(signal: NodeJS.Signals): void
  /** Resolves to the exit code; null after a signal. */
  readonly exited: Promise<number | null>
}

/** Starts the command with flags, and with environment variables besides those of this process. */
export function startFeed(
  args: readonly string[],
  command = CLI,
  env: Readonly<Record<string, string>> = {},
): FeedProcess {
  const child: ChildProcess = spawn(process.execPath, ['--import', JUMPING_CLOCK, command, 'feed', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-20_000)))
  return {
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (signal) => void child.kill(signal),
    exited: once(child, 'exit').then(([code]) => code as number | null),
  }
}
