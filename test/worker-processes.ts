import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { withBundle } from '../scripts/bundle.mjs'

/** A process of Node. */
export interface WorkerProcess {
  readonly hasEnded: () => boolean
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
}

/** Starts a process, whose program reads its settings, as JSON, from the variable `WORKER`. */
export type StartWorker<Settings> = (settings: Settings) => WorkerProcess

/** Bundles a program, a path from the root, and calls `use`; processes that are left are killed after it. */
export async function withWorkers<Settings>(
  program: string,
  use: (start: StartWorker<Settings>) => Promise<void>,
): Promise<void> {
  await withBundle({ worker: program }, async (folder: string) => {
    const running = new Set<ChildProcess>()
    const start: StartWorker<Settings> = (settings) => {
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
    }
    try {
      await use(start)
    } finally {
      const ends = [...running].map((child) => once(child, 'exit'))
      for (const child of running) child.kill('SIGKILL')
      await Promise.all(ends)
    }
  })
}
