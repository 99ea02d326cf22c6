import type { KillInstant } from '../../sql/killing-pool.js'
import {
  openWorkers as openProcesses,
  withWorkers as withProcesses,
  type StartWorker,
  type Workers,
} from '../../worker-processes.js'

/** What a worker works for, and when it kills itself. */
export interface WorkerSettings extends KillInstant {
  /** Of the node. */
  readonly url: string
  /** Of PostgreSQL. */
  readonly port: number
  readonly schema: string
  readonly address: string
  readonly privateKey: string
  readonly hasLease: boolean
  readonly confirmations: number
}

const PROGRAM = 'test/payouts/support/worker.ts'

/** What starts processes that work for a queue. */
export const openWorkers = (): Promise<Workers<WorkerSettings>> => openProcesses(PROGRAM)

/** Calls `use` with what starts processes that work for a queue. */
export const withWorkers = (use: (start: StartWorker<WorkerSettings>) => Promise<void>): Promise<void> =>
  withProcesses(PROGRAM, use)
