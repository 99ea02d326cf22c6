import { PayoutError, SessionDropped } from '../errors/payout-error.js'
import { createPause } from '../loading/pause.js'
import type {
  JournalAccess,
  JournalChange,
  JournalScope,
  JournalSession,
  PayoutAttempt,
} from '../streams/payouts/journal.js'
import { QueueNode } from './queue-node.js'
import type { QueueEvent } from './status.js'
import { work, type WorkContext } from './work.js'
import { nextBatch } from '../operations/payouts/payout-batch.js'
import { builtOf } from '../operations/transactions/pending.js'
import { LOOKAHEAD } from './batch-signer.js'
import { planBatch } from './plan-batch.js'
import type { PlanContext } from './plan-payment.js'
import { partsOf, feature } from '../engine/core-parts.js'
import { sharedClaims } from '../engine/claims/shared-claims.js'
import { toScriptPublicKey } from '../model/address.js'
import type { UnconfirmedTransaction } from '../model/unconfirmed-transaction.js'

/**
 * Works as long as the signal lets it: opens a session of the journal again after each that was lost. Rejects as `run`
 * does. Loaded by the first `run()`: a process that only stores and reads payouts does without.
 */
export async function runQueue(context: Omit<WorkContext, 'node'>): Promise<void> {
  const { engine, options, scope, logger, emit, signal } = context
  const pause = createPause(signal)
  const isEnded = (): boolean => signal.aborted
  if (Array.isArray(options.keysOrSigner)) await engine.wasm.init()
  const node = new QueueNode(engine, options)
  const report = (event: QueueEvent): void => {
    if (event.type === 'followed') pause.reset()
    emit(event)
  }
  while (!isEnded()) {
    emit({ type: 'waiting' })
    try {
      const session = await options.journal.open(scope, signal)
      await work(await mirrorClaims(session, context), { ...context, node, emit: report })
    } catch (error) {
      if (isEnded()) return
      if (!isTransient(error)) throw error
      logger.warn('The journal was lost', { error })
      emit({ type: 'dropped' })
      await pause.wait()
    }
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof SessionDropped || (error instanceof PayoutError && error.code === 'journal-unavailable')

/** The next transaction from settled UTXOs. */
export function previewQueue(
  access: JournalAccess,
  { engine, options }: Pick<WorkContext, 'engine' | 'options'>,
): Promise<PayoutPreview | null> {
  const node = new QueueNode(engine, options)
  return previewBatch(access, { node, options, signal: new AbortController().signal })
}

/** The next transaction, unsigned. */
export interface PayoutPreview {
  /** The payouts that it pays. */
  readonly ids: readonly string[]
  /** Sompi, the payments together. */
  readonly paid: bigint
  /** Sompi. */
  readonly fee: bigint
  /** Grams: the greatest of its masses. */
  readonly mass: bigint
  /** Sompi that return, in one or several outputs. */
  readonly change: bigint
}

/** Plans the next transaction from settled UTXOs. */
async function previewBatch(journal: JournalAccess, context: PlanContext): Promise<PayoutPreview | null> {
  const { batch } = context.options
  const due = await journal.due(LOOKAHEAD * batch.maxOutputs)
  const queue = due.filter((payout) => context.node.obstacleOf(payout) === undefined)
  const { items } = nextBatch(queue, batch)
  if (items.length === 0) return null
  const { free } = await context.node.freeEntries(journal, context.signal)
  const plan = await planBatch(items, { free, chained: [], others: free.length, later: 0n }, context)
  if (plan.kind !== 'planned') return null
  const { transaction } = plan
  const outputs = builtOf(transaction).transaction.outputs.slice(items.length)
  return {
    ids: items.map(({ id }) => id),
    paid: items.reduce((sum, { amount }) => sum + amount, 0n),
    fee: transaction.fee,
    mass: transaction.mass,
    change: outputs.reduce((sum, { value }) => sum + value, 0n),
  }
}

type MirrorContext = Pick<WorkContext, 'engine' | 'options' | 'scope'>

/**
 * The session of a journal in a page, with a copy of its claims in those that the tabs share: `send` in another tab
 * selects no UTXO that the queue has signed. The copy is written before the payment is submitted, and again with each
 * session. Other journals, and tabs that share no claims, keep their session. Closes it where it rejects.
 */
export async function mirrorClaims(
  session: JournalSession,
  { engine, options, scope }: MirrorContext,
): Promise<JournalSession> {
  const claims = feature(partsOf(engine), sharedClaims)
  const { database } = options.journal
  if (claims === undefined || database === undefined) return session
  const update = async (): Promise<void> => {
    const groups = await session.groups({ of: 'open' })
    const payments = groups.flatMap(({ attempts }) => attempts.map(toPayment))
    await claims.mirror(ownerOf(database, scope), {
      network: scope.network,
      payments,
      change: toScriptPublicKey(options.changeAddress),
      replaces: undefined,
    })
  }
  try {
    await update()
  } catch (error) {
    await session.close() // its lock would keep all tabs waiting
    throw error
  }
  return {
    ...session,
    async write(change) {
      const isWritten = await session.write(change)
      if (isWritten && changesClaims(change)) await update()
      return isWritten
    },
  }
}

const ownerOf = (database: string, { name }: JournalScope): string => `${database} ${name}`

const changesClaims = ({ newAttempt, groups = [] }: JournalChange): boolean =>
  newAttempt !== undefined || groups.length > 0

function toPayment({ transactionId, signed: { inputs, outputs, restore } }: PayoutAttempt): UnconfirmedTransaction {
  return {
    id: transactionId,
    inputs: inputs.map(({ previousOutpoint }, at) => ({
      outpoint: previousOutpoint,
      scriptPublicKey: restore?.spent[at]?.scriptPublicKey,
    })),
    outputs: outputs.map(({ value, scriptPublicKey }) => ({ value: BigInt(value), scriptPublicKey })),
  }
}
