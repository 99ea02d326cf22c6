import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { withBundle } from '../../../../scripts/bundle.mjs'

/** What a worker works for, and when it kills itself. */
export interface ShopWorkerSettings {
  /** Of the node. */
  readonly url: string
  /** Of PostgreSQL. */
  readonly port: number
  readonly schema: string
  readonly webhook: { readonly url: string; readonly secret: string; readonly allowPrivate: boolean }
  /** The number of the statement at which the process ends; undefined for none. */
  readonly killAt?: number
  /** Whether the server has executed that statement: its reply is lost. */
  readonly killsAfter?: boolean
}

/** Starts a process; returns whether it has ended. */
export type StartShopWorker = (settings: ShopWorkerSettings) => () => boolean

/** Bundles the program of workers and calls `use`; workers that are left are killed after it. */
export async function withShopWorkers(use: (start: StartShopWorker) => Promise<void>): Promise<void> {
  await withBundle({ worker: 'test/feed/payments/support/worker.ts' }, async (folder: string) => {
    const running = new Set<ChildProcess>()
    const start: StartShopWorker = (settings) => {
      const child = spawn(process.execPath, [join(folder, 'worker.js')], {
        env: { ...process.env, WORKER: JSON.stringify(settings) },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      running.add(child)
      child.on('exit', () => running.delete(child))
      return () => !running.has(child)
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
