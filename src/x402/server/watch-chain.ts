import { Subject, type Observable } from 'rxjs'
import type { ChainEngine } from '../../engine/engine.js'
import { abortable } from '../../loading/abortable.js'
import { createPause } from '../../loading/pause.js'
import { tipScoreOf } from '../../model/chain-cursor/cursor.js'
import { toOutpointKey, type OutpointKey } from '../../model/utxo.js'
import type { ChainLogger } from '../../platform/port.js'
import type { ChainBatch } from '../../streams/chain/batch.js'
import { reduceSettlement, type SettlementCommand, type SettlementEvent, type X402Payment } from '../settlement.js'
import type { X402Store } from '../stores/store.js'
import { createUnshownPayments } from './unshown-payments.js'

/** Blue score after which a served payment is no longer followed: an hour. */
const FOLLOWED_DEPTH = 36_000n

/** The position in the chain is stored at most this often, in ms, where no payment has changed. */
const POSITION_INTERVAL = 1_000

/** How often old payments are deleted, in ms. */
const PRUNE_INTERVAL = 3_600_000

export interface WatchContext {
  readonly engine: Pick<ChainEngine, 'followChain'>
  readonly store: X402Store
  readonly network: string
  readonly logger: ChainLogger
  /** Payments that were served or rejected are deleted after this time, in ms. */
  readonly retain: number
  readonly onCommand: (command: SettlementCommand, payment: X402Payment) => void
}

/** The payments of a store, as the chain has them. */
export interface ChainWatch {
  /** The blue score up to which the chain was read; null before. */
  readonly tip: () => bigint | null
  /** Emits after each batch, and after each change of a payment. Hot, replays nothing. */
  readonly changes$: Observable<void>
  /** The newest version that is known here. */
  readonly known: (transactionId: string) => X402Payment | undefined
  /** A payment that this instance has read or claimed. */
  readonly follow: (payment: X402Payment) => void
  /** Stores what an event changes, also where another instance was first. Resolves to the newest version. */
  readonly apply: (payment: X402Payment, event: SettlementEvent) => Promise<X402Payment>
  /** Follows the chain until the signal aborts. Never rejects: what fails is tried again. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

export function createChainWatch(context: WatchContext): ChainWatch {
  const { engine, store, network, logger, retain, onCommand } = context
  const payments = new Map<string, X402Payment>()
  const spenders = new Map<OutpointKey, string>()
  const unshown = createUnshownPayments()
  const changes$ = new Subject<void>()
  let tip: bigint | null = null
  let sequence = 0n
  let savedAt = -Infinity
  let prunedAt = -Infinity

  const follow = (payment: X402Payment): void => {
    const known = payments.get(payment.transactionId)
    if (known !== undefined && known.version > payment.version) return
    payments.set(payment.transactionId, payment)
    for (const outpoint of payment.outpoints) spenders.set(outpoint, payment.transactionId)
  }
  const forget = (payment: X402Payment): void => {
    payments.delete(payment.transactionId)
    unshown.forget(payment.transactionId)
    for (const outpoint of payment.outpoints)
      if (spenders.get(outpoint) === payment.transactionId) spenders.delete(outpoint)
  }

  async function apply(payment: X402Payment, event: SettlementEvent): Promise<X402Payment> {
    for (let current = payment; ;) {
      const { payment: next, commands } = reduceSettlement(current, event)
      if (next === current) return current
      if (await store.update(next)) {
        follow(next)
        for (const command of commands) onCommand(command, next)
        changes$.next()
        return next
      }
      const stored = await store.find(network, payment.transactionId)
      if (stored === null) return current // it was pruned
      follow(stored)
      current = stored
    }
  }

  /** Payments of other instances, claimed before anything of them was sent: so before the batch that accepts them. */
  async function adopt(): Promise<void> {
    for (const { sequence: number, payment } of await store.after(network, sequence)) {
      follow(payment)
      sequence = number
    }
  }

  async function step(batch: ChainBatch): Promise<void> {
    await adopt()
    const events = eventsOf(batch, payments, spenders)
    if (batch.rollback !== null) unshown.jump(batch.rollback.blueScore)
    for (const [transactionId, event] of events) {
      unshown.note(transactionId, event)
      const payment = payments.get(transactionId)
      if (payment !== undefined) await apply(payment, event)
    }
    tip = tipScoreOf(batch.cursor)
    for (const payment of payments.values()) {
      if (payment.state === 'conflicting') await apply(payment, { type: 'advanced', blueScore: tip })
      const unshownEvent = unshown.eventOf(payment, tip)
      if (unshownEvent !== undefined) await apply(payment, unshownEvent)
      if (isDone(payment, tip)) forget(payment)
    }
    unshown.advance(tip)
    if (events.length > 0 || performance.now() - savedAt >= POSITION_INTERVAL) {
      await store.saveCursor(network, batch.cursor)
      savedAt = performance.now()
    }
    if (performance.now() - prunedAt >= PRUNE_INTERVAL) {
      prunedAt = performance.now() // also where it fails
      await store.prune(network, Date.now() - retain)
    }
    changes$.next()
  }

  async function followOnce(signal: AbortSignal, onStep: () => void): Promise<void> {
    sequence = 0n
    const cursor = await abortable(signal, () => store.cursor(network))
    unshown.begin(cursor === null ? null : tipScoreOf(cursor))
    const batches = engine.followChain({
      ...(cursor !== null && { cursor }),
      onGap: 'continue',
      onProblem: (problem) => logger.warn('x402: the chain is not followed', { problem }),
      signal,
    })
    for await (const batch of batches) {
      await abortable(signal, () => step(batch)) // a store that never responds does not keep it open
      onStep()
    }
  }

  return {
    tip: () => tip,
    changes$: changes$.asObservable(),
    known: (transactionId) => payments.get(transactionId),
    follow,
    apply,
    async run(signal) {
      const pause = createPause(signal)
      while (!signal.aborted) {
        try {
          await followOnce(signal, () => pause.reset())
        } catch (error) {
          if (isAborted(signal)) return
          logger.warn('x402: the chain or the store could not be read', { error })
          await pause.wait()
        }
      }
    },
  }
}

/** What a batch says of each payment, in the order of the chain. */
function eventsOf(
  { rollback, blocks }: ChainBatch,
  payments: ReadonlyMap<string, X402Payment>,
  spenders: ReadonlyMap<OutpointKey, string>,
): readonly PaymentEvent[] {
  const undone =
    rollback === null
      ? []
      : [...payments.keys()].map<PaymentEvent>((id) => [id, { type: 'rolled-back', blueScore: rollback.blueScore }])
  const done = blocks.flatMap(({ blueScore, transactions }) =>
    transactions.flatMap<PaymentEvent>(({ id, inputs }) => {
      if (payments.has(id)) return [[id, { type: 'accepted', blueScore }]]
      const rivals = new Set(inputs.map(({ outpoint }) => spenders.get(toOutpointKey(outpoint))))
      return [...rivals].flatMap<PaymentEvent>((rival) =>
        rival === undefined ? [] : [[rival, { type: 'conflicted', transactionId: id, blueScore }]],
      )
    }),
  )
  return [...undone, ...done]
}

/** It may have changed while something was awaited. */
const isAborted = ({ aborted }: AbortSignal): boolean => aborted

type PaymentEvent = readonly [transactionId: string, event: SettlementEvent]

const isDone = ({ state, acceptedBlueScore }: X402Payment, tip: bigint): boolean =>
  state === 'rejected' || (state === 'served' && acceptedBlueScore !== null && tip - acceptedBlueScore > FOLLOWED_DEPTH)
