import type { Truth } from '../../src/devnode/index.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import type { SentTransactions } from '../../src/operations/transactions/transactions.js'
import type { WatchedPlatform } from './watched-platform.js'

/** Whom a payment is for, and an amount that no other payment has. */
export interface Order {
  readonly address: string
  readonly amount: bigint
}

/** What became of an order, as its payer was told. */
export interface Claim extends Order {
  readonly outcome: { readonly paid: string } | { readonly failed: string } | 'open'
}

/** Every payment that was asked for, with what was said of it. */
export interface Payments {
  /** Watches a payment; the same promise. */
  watch(order: Order, sending: Promise<SentTransactions>): Promise<SentTransactions>
  readonly claims: readonly Claim[]
  /** The network is about to forget some of these transactions, itself. */
  endanger(ids: Iterable<string>): void
  readonly endangered: ReadonlySet<string>
}

export function createPayments(): Payments {
  const claims: Claim[] = []
  const endangered = new Set<string>()
  return {
    claims,
    endangered,
    watch(order, sending) {
      const at = claims.push({ ...order, outcome: 'open' }) - 1
      const settle = (outcome: Claim['outcome']): void => void (claims[at] = { ...order, outcome })
      sending.then(
        ({ transactionIds }) => settle({ paid: transactionIds.at(-1) ?? 'nothing' }),
        (error: unknown) => settle({ failed: String(error instanceof Error ? (error.cause ?? error) : error) }),
      )
      return sending
    },
    endanger(ids) {
      for (const id of ids) endangered.add(id)
    },
  }
}

/** What was sent more often than it should have been: a transaction, or a payment by two transactions. */
export function paidTwice({ claims }: Payments, { submits }: WatchedPlatform): readonly string[] {
  const again = [...submits].filter(([, { times }]) => times > 1)
  const twice = claims.map((claim) => ({ claim, ids: idsOf(claim, submits) })).filter(({ ids }) => ids.length > 1)
  return [
    ...again.map(([id, { times }]) => `${id} was sent ${times} times`),
    ...twice.map(({ claim, ids }) => `the payment of ${claim.amount} was sent as ${ids.join(' and as ')}`),
  ]
}

/** Where a payer was told something else than what is; what a reorg made the network itself forget aside. */
export function untruths({ claims, endangered }: Payments, { submits }: WatchedPlatform, truth: Truth): string[] {
  const onChain = new Set(truth.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds))
  return claims.flatMap((claim) => {
    const { outcome, amount } = claim
    if (outcome === 'open') return [`the payment of ${amount} was never settled`]
    if ('failed' in outcome) {
      const arrived = idsOf(claim, submits).find((id) => onChain.has(id))
      return arrived === undefined ? [] : [`the payment of ${amount}, ${arrived}, that failed: ${outcome.failed}`]
    }
    const isThere = onChain.has(outcome.paid) || endangered.has(outcome.paid)
    return isThere ? [] : [`the payment of ${amount} by ${outcome.paid}`]
  })
}

/** The transactions that were sent for an order. */
function idsOf({ address, amount }: Order, submits: WatchedPlatform['submits']): readonly string[] {
  const { script } = toScriptPublicKey(address)
  const isFor = (output: { readonly value: bigint; readonly scriptPublicKey: { readonly script: string } }): boolean =>
    output.value === amount && output.scriptPublicKey.script === script
  return [...submits].filter(([, { transaction }]) => transaction.outputs.some(isFor)).map(([id]) => id)
}
