import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const SCRIPT = resolve(import.meta.dirname, '../../scripts/demo.mjs')

/** The demo as run by `npm run demo`, in its own process. */
export interface DemoProcess {
  /** Standard output until it was ready. */
  readonly output: string
  readonly url: string
  /** Sends SIGINT; resolves to the exit code. */
  readonly stop: () => Promise<number | null>
}

/** Starts the demo, by default on a free port; resolves when it has printed its URL. */
export async function startDemo(args: readonly string[] = ['--port', '0']): Promise<DemoProcess> {
  const child = runDemo(args)
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    if (output.includes('Ctrl-C')) break
  }
  const url = /http:\/\/\S+/.exec(output)?.[0]
  if (url === undefined) throw new Error(`The demo did not start: ${output}`)
  return { output, url, stop: () => interrupt(child) }
}

/** Runs the demo to its end; resolves to its exit code and standard error. */
export async function runToEnd(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const child = runDemo(args)
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stderr }
}

const runDemo = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })

async function interrupt(child: ChildProcess): Promise<number | null> {
  const closed = once(child, 'exit')
  child.kill('SIGINT')
  const [code] = (await closed) as [number | null]
  return code
}
