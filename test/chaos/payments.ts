import { outcomeOf } from '../../src/errors/with-outcome.js'
import type { Expected } from '../../src/devnode/index.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import type { SentTransactions } from '../../src/operations/transactions/transaction-operations.js'
import type { RecordingPlatform } from './recording-platform.js'

/** The recipient of a payment and its unique amount. */
export interface PaymentTarget {
  readonly address: string
  readonly amount: bigint
}

/** A payment with its outcome as reported by the library. */
export interface PaymentRecord extends PaymentTarget {
  readonly outcome: { readonly paid: string } | { readonly failed: string; readonly isUnsent: boolean } | 'open'
}

/** Every requested payment with its outcome. */
export interface Payments {
  /** Records the outcome of a payment; returns the same promise. */
  watch(target: PaymentTarget, sending: Promise<SentTransactions>): Promise<SentTransactions>
  readonly records: readonly PaymentRecord[]
  /** Marks transactions that a reorg or a restart of the devnode may drop. */
  markDroppable(ids: Iterable<string>): void
  readonly droppable: ReadonlySet<string>
}

export function createPayments(): Payments {
  const records: PaymentRecord[] = []
  const droppable = new Set<string>()
  return {
    records,
    droppable,
    watch(target, sending) {
      const at = records.push({ ...target, outcome: 'open' }) - 1
      const settle = (outcome: PaymentRecord['outcome']): void => void (records[at] = { ...target, outcome })
      sending.then(
        ({ transactionIds }) => settle({ paid: transactionIds.at(-1) ?? 'nothing' }),
        (error: unknown) => {
          const failed = String(error instanceof Error ? (error.cause ?? error) : error)
          settle({ failed, isUnsent: outcomeOf(error) !== 'unknown' })
        },
      )
      return sending
    },
    markDroppable(ids) {
      for (const id of ids) droppable.add(id)
    },
  }
}

/** Transactions submitted more than once, and payments sent as two transactions. */
export function duplicatePayments({ records }: Payments, { submits }: RecordingPlatform): readonly string[] {
  const again = [...submits].filter(([, { times }]) => times > 1)
  const twice = records.map((record) => ({ record, ids: idsOf(record, submits) })).filter(({ ids }) => ids.length > 1)
  return [
    ...again.map(([id, { times }]) => `${id} was sent ${times} times`),
    ...twice.map(({ record, ids }) => `the payment of ${record.amount} was sent as ${ids.join(' and as ')}`),
  ]
}

/** Payments whose reported outcome differs from the chain, except transactions dropped by a reorg or a restart. */
export function outcomeErrors(
  { records, droppable }: Payments,
  { submits }: RecordingPlatform,
  expected: Expected,
): string[] {
  const onChain = new Set(expected.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds))
  return records.flatMap((record) => {
    const { outcome, amount } = record
    if (outcome === 'open') return [`the payment of ${amount} was never settled`]
    if ('failed' in outcome) {
      const sent = outcome.isUnsent ? idsOf(record, submits) : [] // an unknown outcome promises nothing
      return sent.map(
        (id) => `the payment of ${amount}, ${id}, that was sent and reported as unsent: ${outcome.failed}`,
      )
    }
    const isThere = onChain.has(outcome.paid) || droppable.has(outcome.paid)
    return isThere ? [] : [`the payment of ${amount} by ${outcome.paid}`]
  })
}

/** The ids of the transactions submitted for a payment. */
function idsOf({ address, amount }: PaymentTarget, submits: RecordingPlatform['submits']): readonly string[] {
  const { script } = toScriptPublicKey(address)
  const isFor = (output: { readonly value: bigint; readonly scriptPublicKey: { readonly script: string } }): boolean =>
    output.value === amount && output.scriptPublicKey.script === script
  return [...submits].filter(([, { transaction }]) => transaction.outputs.some(isFor)).map(([id]) => id)
}
