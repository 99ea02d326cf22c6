import { expect } from 'vitest'
import type { Payouts } from '../../../src/payouts/create-payouts.js'
import { POLL_LIMIT } from '../../limits.js'
import type { KillInstant } from '../../sql/killing-pool.js'
import type { StartWorker, WorkerProcess } from '../../worker-processes.js'
import type { WorkerSettings } from './workers.js'

const KAS = 100_000_000n

export interface KillOptions {
  readonly start: StartWorker<WorkerSettings>
  readonly settings: Omit<WorkerSettings, keyof KillInstant>
  /** A queue on the same journal that does not run: it stores and reads payouts. */
  readonly payouts: Payouts
  readonly kills: number
  readonly random: () => number
  /** The address of the recipient of a payout; one for each. */
  readonly recipient: (id: number) => string
  readonly mine: () => Promise<void>
  /** How often the chain has paid each recipient, by the order of the addresses. */
  readonly timesPaid: (recipients: readonly string[]) => Promise<readonly number[]>
}

/** Statements of a process from its start until some payouts are settled, about, also on a busy machine. */
const STATEMENTS = 90
/** Payouts that are not signed yet while further ones are requested, at most: each process gets to sign them. */
const QUEUED = 50

/**
 * Kills workers at random statements, before the server has executed them or after, while payouts are requested; then
 * lets one live until all are settled, and counts on the chain.
 */
export async function expectPaidOnceUnderKills(options: KillOptions): Promise<void> {
  const { start, settings, payouts, kills, random, recipient, mine } = options
  let next = 0
  const pay = async (): Promise<void> => {
    const id = next++
    await payouts.pay(`kill ${id}`, { address: recipient(id), amount: KAS + BigInt(id) })
  }
  await pay()
  for (let kill = 0; kill < kills; kill++) {
    const killAt = 1 + Math.floor(random() * STATEMENTS)
    const worker = start({ ...settings, killAt, killsAfter: random() < 0.5 })
    await untilEnded(worker, async () => {
      if (random() < 0.3 && (await countUnsigned(payouts)) < QUEUED) await pay()
      await mine()
    })
  }
  start(settings)
  await expectSettled({ ...options, count: next })
}

async function countUnsigned(payouts: Payouts): Promise<number> {
  const { queued = 0, waiting = 0 } = (await payouts.metrics()).states
  return queued + waiting
}

/** Repeats `step` until a worker has ended; with pauses, in which the worker computes rather than the node. */
async function untilEnded(worker: WorkerProcess, step: () => Promise<void>): Promise<void> {
  const next = async (): Promise<boolean> => {
    await step()
    return worker.hasEnded()
  }
  await expect.poll(next, { timeout: POLL_LIMIT }).toBe(true)
}

/** Mines until all are settled; each recipient has been paid once. */
export async function expectSettled({
  payouts,
  mine,
  recipient,
  timesPaid,
  count,
}: Pick<KillOptions, 'payouts' | 'mine' | 'recipient' | 'timesPaid'> & { readonly count: number }): Promise<void> {
  await expect
    .poll(async () => {
      await mine()
      const { states } = await payouts.metrics()
      const [waiting] = await payouts.list({ state: 'waiting', limit: 1 })
      return { states, ...(waiting !== undefined && { waiting }) } // with its reason
    })
    .toEqual({ states: { settled: count } })
  const recipients = Array.from({ length: count }, (_, id) => recipient(id))
  expect(await timesPaid(recipients)).toEqual(recipients.map(() => 1))
}
