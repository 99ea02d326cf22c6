import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { bundle } from '../scripts/bundle.mjs'

/** A process of Node. */
export interface WorkerProcess {
  readonly hasEnded: () => boolean
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
}

/** Starts a process, whose program reads its settings, as JSON, from the variable `WORKER`. */
export type StartWorker<Settings> = (settings: Settings) => WorkerProcess

/** What starts processes of a program. */
export interface Workers<Settings> {
  readonly start: StartWorker<Settings>
  /** Kills those that are left. */
  kill(): Promise<void>
  /** Kills those that are left, and removes the bundle. */
  close(): Promise<void>
}

/** Bundles a program, a path from the root: once for several tests, because it takes more than a second. */
export async function openWorkers<Settings>(program: string): Promise<Workers<Settings>> {
  const running = new Set<ChildProcess>()
  const { folder, remove } = await bundle({ worker: program })
  const kill = async (): Promise<void> => {
    const ends = [...running].map((child) => once(child, 'exit'))
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(ends)
  }
  return {
    start(settings) {
      const child = spawn(process.execPath, [join(folder, 'worker.js')], {
        env: { ...process.env, WORKER: JSON.stringify(settings) },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      running.add(child)
      child.on('exit', () => running.delete(child))
      return {
        hasEnded: () => !running.has(child),
        signal: (name) => void child.kill(name),
      }
    },
    kill,
    async close() {
      await kill()
      remove()
    },
  }
}

/** Bundles a program, a path from the root, and calls `use`; processes that are left are killed after it. */
export async function withWorkers<Settings>(
  program: string,
  use: (start: StartWorker<Settings>) => Promise<void>,
): Promise<void> {
  const workers = await openWorkers<Settings>(program)
  try {
    await use(workers.start)
  } finally {
    await workers.close()
  }
}
