import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const SCRIPT = resolve(import.meta.dirname, '../../scripts/demo.mjs')

/** The demo as `npm run demo` runs it, in a process of its own. */
export interface DemoProcess {
  /** What it printed until it was ready. */
  readonly greeting: string
  readonly url: string
  /** Ends it as Ctrl-C does; resolves to its exit code. */
  readonly stop: () => Promise<number | null>
}

/** Starts the demo, on a free port unless `args` say otherwise; resolves when it has said what to open. */
export async function startDemo(args: readonly string[] = ['--port', '0']): Promise<DemoProcess> {
  const child = runDemo(args)
  let greeting = ''
  for await (const chunk of child.stdout ?? []) {
    greeting += String(chunk)
    if (greeting.includes('Ctrl-C')) break
  }
  const url = /http:\/\/\S+/.exec(greeting)?.[0]
  if (url === undefined) throw new Error(`The demo did not start: ${greeting}`)
  return { greeting, url, stop: () => end(child) }
}

/** Runs the demo to its end; resolves to its exit code and what it complained of. */
export async function runToEnd(
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly complaint: string }> {
  const child = runDemo(args)
  let complaint = ''
  child.stderr?.on('data', (chunk) => (complaint += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, complaint }
}

const runDemo = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })

async function end(child: ChildProcess): Promise<number | null> {
  const closed = once(child, 'exit')
  child.kill('SIGINT')
  const [code] = (await closed) as [number | null]
  return code
}
