import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** A program of `examples/` or of a page, run as a user runs it. */
export interface ExampleProcess {
  /** Resolves once the program has printed a text, `times` times. Rejects with its output where it ends before. */
  readonly printed: (text: string, times?: number) => Promise<void>
  /** Requests its end, as a supervisor does; resolves to the exit code, null where a signal ended it. */
  readonly stop: () => Promise<number | null>
  /** Ends it at once, as a power failure does. */
  readonly kill: () => Promise<void>
}

/**
 * Runs a copy without its package.json, by which the example would look for an installed vue-chain: inside the project
 * it imports the built library.
 */
export function startExample(name: string, env: Readonly<Record<string, string>>): ExampleProcess {
  const programs = join(ROOT, '.cache/programs')
  mkdirSync(programs, { recursive: true })
  const folder = mkdtempSync(join(programs, `${name}-`))
  const isProgram = (path: string): boolean => basename(path) !== 'package.json'
  cpSync(join(ROOT, 'examples', name), folder, { recursive: true, filter: isProgram })
  const program = startProgram(join(folder, 'main.js'), env)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  return {
    ...program,
    stop: () => program.stop().finally(remove),
    kill: () => program.kill().finally(remove),
  }
}

/** How many lines of each program a failure repeats. */
const LAST = 20

/** The programs of this worker that run, or have ended since the beginning of the test, oldest first. */
const running = new Map<ChildProcess, { readonly file: string; readonly lastLines: () => readonly string[] }>()

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

/** Forgets the programs that have ended in earlier tests. */
export function forgetEnded(): void {
  for (const program of running.keys()) if (hasEnded(program)) running.delete(program)
}

/** What the programs have printed last. */
export const describePrograms = (): string =>
  [...running.values()].flatMap(({ file, lastLines }) => [`of ${file}:`, ...lastLines()]).join('\n')

/** A program of a file, which imports the built library. */
export function startProgram(
  file: string,
  env: Readonly<Record<string, string>>,
  { args = [], cwd = ROOT }: { readonly args?: readonly string[]; readonly cwd?: string } = {},
): ExampleProcess {
  const program = spawn(process.execPath, [file, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [program.stdout, program.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()))
  running.set(program, { file, lastLines: () => output.trimEnd().split('\n').slice(-LAST) })
  return {
    printed: (text, times = 1) =>
      waitFor(
        program,
        () => output.split(text).length > times,
        () => output,
      ),
    async stop() {
      if (!hasEnded(program)) {
        program.kill('SIGTERM')
        await once(program, 'exit')
      }
      return program.exitCode
    },
    async kill() {
      if (hasEnded(program)) return
      program.kill('SIGKILL')
      await once(program, 'exit')
    },
  }
}

function waitFor(program: ChildProcess, isDone: () => boolean, output: () => string): Promise<void> {
  return new Promise((done, reject) => {
    const check = (): void => {
      if (isDone()) done()
    }
    for (const stream of [program.stdout, program.stderr]) stream?.on('data', check)
    const end = (): void => reject(new Error(`The program ended with ${String(program.exitCode)}:\n${output()}`))
    program.on('exit', end)
    check()
    if (hasEnded(program)) end()
  })
}
