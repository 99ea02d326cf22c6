import type { X402Payment } from '../settlement.js'

/** What a claim found. `taken`: another payment of the store spends one of its inputs. */
export type ClaimResult =
  | { readonly type: 'claimed' | 'known'; readonly payment: X402Payment }
  | { readonly type: 'taken'; readonly transactionId: string }

/** A payment and its number in the store, by which instances find those of others. */
export interface NumberedPayment {
  readonly sequence: bigint
  readonly payment: X402Payment
}

/** Where a facilitator keeps payments. Its methods reject with the error of the database. */
export interface X402Store {
  /** Whether a restart forgets nothing: networks other than simnet and devnet require it. */
  readonly isDurable: boolean
  /**
   * Stores a payment with its outpoints, in one transaction, unless its id is there: then the stored one. The claim is
   * durable when this resolves.
   */
  claim(payment: X402Payment): Promise<ClaimResult>
  find(network: string, transactionId: string): Promise<X402Payment | null>
  /** Writes a next version; false where another instance was first. */
  update(payment: X402Payment): Promise<boolean>
  /** Lets other payments spend the outpoints of a rejected one. */
  release(payment: X402Payment): Promise<void>
  /**
   * Payments after a number, in its order, that the chain can still change: all but the rejected ones, and those that
   * were served more than two hours ago and are accepted. Numbers are given out in the order in which claims resolve.
   */
  after(network: string, sequence: bigint): Promise<readonly NumberedPayment[]>
  /** Where the chain was read up to. */
  cursor(network: string): Promise<string | null>
  saveCursor(network: string, cursor: string): Promise<void>
  /**
   * Forgets payments claimed before a time (Unix ms) that were served or rejected. A payment that is forgotten could be
   * presented again: `olderThan` lies beyond `maxTimeoutSeconds` of every route, an hour at least.
   */
  prune(network: string, olderThan: number): Promise<number>
}

export interface MemoryX402StoreOptions {
  /** Allows real networks: a restart forgets what was paid, and one payment is then served twice. @default false */
  readonly acknowledgeVolatile?: boolean | undefined
}

/** Payments that end with the process: for tests. Real networks are refused unless `acknowledgeVolatile`. */
export function createMemoryX402Store({ acknowledgeVolatile = false }: MemoryX402StoreOptions = {}): X402Store {
  const rows = new Map<string, { sequence: bigint; payment: X402Payment }>()
  const claims = new Map<string, string>()
  const cursors = new Map<string, string>()
  let last = 0n
  const keyOf = ({ network, transactionId }: Pick<X402Payment, 'network' | 'transactionId'>): string =>
    `${network} ${transactionId}`
  const claim = (payment: X402Payment): ClaimResult => {
    const known = rows.get(keyOf(payment))
    if (known !== undefined) return { type: 'known', payment: known.payment }
    const outpoints = payment.outpoints.map((outpoint) => `${payment.network} ${outpoint}`)
    const other = outpoints.map((outpoint) => claims.get(outpoint)).find((id) => id !== undefined)
    if (other !== undefined) return { type: 'taken', transactionId: other }
    for (const outpoint of outpoints) claims.set(outpoint, payment.transactionId)
    last += 1n
    rows.set(keyOf(payment), { sequence: last, payment })
    return { type: 'claimed', payment }
  }
  const release = ({ network, transactionId, outpoints }: X402Payment): void => {
    for (const outpoint of outpoints)
      if (claims.get(`${network} ${outpoint}`) === transactionId) claims.delete(`${network} ${outpoint}`)
  }
  return {
    isDurable: acknowledgeVolatile,
    claim: (payment) => Promise.resolve(claim(payment)),
    find: (network, transactionId) => Promise.resolve(rows.get(keyOf({ network, transactionId }))?.payment ?? null),
    update(payment) {
      const row = rows.get(keyOf(payment))
      const isNext = row?.payment.version === payment.version - 1
      if (row !== undefined && isNext) row.payment = payment
      return Promise.resolve(isNext)
    },
    release(payment) {
      release(payment)
      return Promise.resolve()
    },
    after(network, sequence) {
      const found: readonly NumberedPayment[] = [...rows.values()].filter(
        (row) => row.payment.network === network && row.sequence > sequence && row.payment.state !== 'rejected',
      )
      return Promise.resolve(found.map((row) => ({ ...row })))
    },
    cursor: (network) => Promise.resolve(cursors.get(network) ?? null),
    saveCursor(network, cursor) {
      cursors.set(network, cursor)
      return Promise.resolve()
    },
    prune(network, olderThan) {
      const old = [...rows].filter(([, { payment }]) => payment.network === network && isPrunable(payment, olderThan))
      for (const [key, { payment }] of old) {
        rows.delete(key)
        release(payment)
      }
      return Promise.resolve(old.length)
    },
  }
}

const isPrunable = ({ state, claimedAt }: X402Payment, olderThan: number): boolean =>
  claimedAt < olderThan && (state === 'served' || state === 'rejected')
