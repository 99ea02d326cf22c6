import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { POLL_LIMIT } from '../../limits.js'

interface ProcessOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** A running command and what it has printed. */
export interface Running {
  readonly output: () => string
  /** Ends it with the processes that it has started. */
  readonly stop: () => Promise<void>
}

/** Runs a command to its end; resolves to its output. Rejects with the output where it fails. */
export async function run(command: string, args: readonly string[], options: ProcessOptions): Promise<string> {
  const { child, output } = open(command, args, options)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output()}`)
  return output()
}

/** Starts a server; resolves once `url` responds. Rejects with the output where it ends before. */
export async function serve(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
  url: string,
): Promise<Running> {
  const { child, output } = open(command, args, options)
  while (!(await responds(url))) {
    if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} ended:\n${output()}`)
  }
  return { output, stop: () => stop(child) }
}

function open(command: string, args: readonly string[], { cwd, env }: ProcessOptions) {
  // Not the variables of vitest, by which frameworks believe that they are tested.
  const { VITEST: _, NODE_ENV: __, ...inherited } = process.env
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, NO_COLOR: '1', NUXT_TELEMETRY_DISABLED: '1', ...env },
    detached: true, // a process group, which can be ended as a whole
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()))
  return { child, output: () => text }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  process.kill(-child.pid, 'SIGKILL')
  await closed
}

/** Whether a server responds, and has started; resolves after a moment where not. */
const responds = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(POLL_LIMIT) })
    .then(({ status }) => status !== 503)
    .catch(() => false)
    .then((isReady) => isReady || new Promise((done) => setTimeout(() => done(false), 100)))
