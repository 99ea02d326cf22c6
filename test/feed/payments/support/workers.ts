import type { KillInstant } from '../../../sql/killing-pool.js'
import { withWorkers, type StartWorker } from '../../../worker-processes.js'

/** What a worker works for, and when it kills itself. */
export interface ShopWorkerSettings extends KillInstant {
  /** Of the node. */
  readonly url: string
  /** Of PostgreSQL. */
  readonly port: number
  readonly schema: string
  readonly webhook: { readonly url: string; readonly secret: string; readonly allowPrivate: boolean }
}

/** Calls `use` with what starts processes that evaluate and deliver. */
export const withShopWorkers = (use: (start: StartWorker<ShopWorkerSettings>) => Promise<void>): Promise<void> =>
  withWorkers('test/feed/payments/support/worker.ts', use)
