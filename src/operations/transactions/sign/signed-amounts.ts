import { ChainError } from '../../../errors/chain-error.js'
import { ChainCryptoError } from '../../../errors/crypto-error.js'
import { amountsDigest, areAmountsCommitted } from '../../../model/amount-commitment.js'
import { BoundedMap } from '../../../model/bounded-collections.js'
import { cryptoError } from '../../keys/crypto-failure.js'
import type { Outpoint } from '../../../model/utxo.js'
import type { BuiltTransaction } from '../build.js'
import { isHex } from '../../../model/hex.js'
import type { PlatformStorage } from '../../../platform/port.js'

/**
 * Keeps the input amounts of signed transactions longer than an engine lives: digests by transaction id, or in one
 * atomic step the amount of each output, which two processes with the same keys need.
 */
export type SignedAmountsStore =
  | {
      /** Returns, or resolves to, the digest that was set; null or undefined where there is none. */
      get(id: string): string | null | undefined | Promise<string | null | undefined>
      /** Keeps a digest, 64 hex digits, for good. */
      set(id: string, digest: string): void | Promise<void>
    }
  | {
      /**
       * Inserts the amounts of these outputs, or compares them where they are known, all or none. Rejects with an error
       * whose `code` is `amount-conflict` where one is known with another amount.
       */
      record(entries: readonly { readonly outpoint: Outpoint; readonly amount: bigint }[]): void | Promise<void>
    }

/** Those that record amounts in one step. */
export type SignedAmountsRecord = Extract<SignedAmountsStore, { record: unknown }>

/** Those that keep digests. */
export type SignedDigests = Extract<SignedAmountsStore, { get: unknown }>

/**
 * The input amounts of signed transactions. Signatures commit to amounts, ids do not, and signatures of two versions
 * could be combined to burn the difference: an id is never signed with two sets of amounts. Where the sequences of a
 * transaction commit to its amounts, two sets of amounts are two ids.
 */
export interface SignedAmounts {
  /** Throws `ChainError` (`unsupported`) where a transaction without commitment is to be signed and nothing is kept. */
  readonly requireStore: (transaction: BuiltTransaction) => void
  /**
   * Records a signed transaction. Throws `ChainCryptoError` (`amount-conflict`) where its id was signed by this engine
   * with other amounts, and `ChainError` (`unsupported`) without a commitment, which takes `recordAsync`.
   */
  readonly record: (transaction: BuiltTransaction) => void
  /** The same with the store, where the transaction has no commitment. Rejects likewise. */
  readonly recordAsync: (transaction: BuiltTransaction) => Promise<void>
  /**
   * The same for a transaction that others have made, which may have no commitment where nothing is kept: then this
   * engine alone remembers it.
   */
  readonly recordForeign: (transaction: BuiltTransaction) => Promise<void>
  /** Records a transaction that was signed before, with a commitment or without. */
  readonly recordRestored: (transaction: BuiltTransaction) => void
}

/** How many transactions are remembered, newest first: some 20 MB. */
const CAPACITY = 100_000

export function createSignedAmounts(store: SignedAmountsStore | undefined, capacity = CAPACITY): SignedAmounts {
  const digests = new BoundedMap<string, string>(capacity)

  function remember({ id, spent }: BuiltTransaction): string {
    const digest = amountsDigest(spent)
    requireSame(id, digests.get(id), digest)
    digests.set(id, digest)
    return digest
  }

  async function keep(transaction: BuiltTransaction, digest: string): Promise<void> {
    try {
      if (store === undefined) return
      if ('record' in store) await store.record(transaction.spent.map(({ outpoint, amount }) => ({ outpoint, amount })))
      else await keepDigest(store, transaction.id, digest)
    } catch (cause) {
      if (isConflict(cause)) throw conflict(transaction.id)
      throw cause instanceof ChainCryptoError ? cause : notKept(cause)
    }
  }

  const requireStore = (transaction: BuiltTransaction): void => {
    if (store === undefined && !isCommitted(transaction)) throw withoutStore()
  }
  return {
    requireStore,
    record: (transaction) => {
      if (!isCommitted(transaction)) throw asyncOnly()
      remember(transaction)
    },
    recordAsync: async (transaction) => {
      requireStore(transaction)
      const digest = remember(transaction)
      if (!isCommitted(transaction)) await keep(transaction, digest)
    },
    recordForeign: async (transaction) => {
      const digest = remember(transaction)
      if (store !== undefined && !isCommitted(transaction)) await keep(transaction, digest)
    },
    recordRestored: (transaction) => void remember(transaction),
  }
}

/** Reads it again: a full or foreign store keeps nothing, and another tab may have set one meanwhile. */
async function keepDigest(store: SignedDigests, id: string, digest: string): Promise<void> {
  const known = await store.get(id)
  requireSame(id, known, digest)
  if (known === digest) return
  await store.set(id, digest)
  const kept = await store.get(id)
  requireSame(id, kept, digest)
  if (kept !== digest) throw new Error('The store does not have what was set')
}

const isConflict = (cause: unknown): boolean => cause instanceof Error && 'code' in cause && cause.code === CONFLICT

const CONFLICT = 'amount-conflict'

const isCommitted = ({ transaction: { inputs }, spent }: BuiltTransaction): boolean =>
  areAmountsCommitted(
    inputs.map(({ sequence }) => sequence),
    spent,
    ({ covenantId }) => covenantId === undefined, // the amount of a contract is proved by the id that created it
  )

function requireSame(id: string, known: string | null | undefined, digest: string): void {
  if (known !== undefined && known !== null && known !== digest) throw conflict(id)
}

const conflict = (id: string): ChainCryptoError =>
  cryptoError('sign', {
    code: CONFLICT,
    argument: 'entries',
    reason: `The transaction ${id} was signed before with other input amounts`,
    hint: 'A node reported a wrong amount: read the entries again from another node.',
  })

/** Of a plan that takes a store, before anything is signed. */
export const withoutStore = (): ChainError =>
  new ChainError('Without a commitment to the amounts this engine cannot sign: nothing keeps what was signed', {
    code: 'unsupported',
    argument: 'commitAmounts',
    hint: 'Leave commitAmounts out, or give the engine the option signedAmounts, which keeps a digest for each id.',
  })

const asyncOnly = (): ChainError =>
  new ChainError('sign() cannot sign several inputs without a commitment to their amounts', {
    code: 'unsupported',
    argument: 'commitAmounts',
    hint: 'Use signAsync() or send(), which wait for the engine option signedAmounts.',
  })

const notKept = (cause: unknown): ChainCryptoError =>
  new ChainCryptoError('sign', cause, {
    code: 'failed',
    argument: 'signedAmounts',
    hint: 'signedAmounts did not keep what is signed, so the signatures were dropped. Nothing was sent.',
  })

/** Ids and digests, oldest first. */
type Kept = readonly (readonly [id: string, digest: string])[]

const KEY = 'vue-chain.signed-amounts'

/** The newest payments that are kept, some 140 kB. The UTXOs of older ones are spent. */
const STORED_CAPACITY = 1_000

/** Keeps the digests of signed amounts in the storage of a browser, shared by its tabs. */
export function createStoredAmounts(storage: PlatformStorage): SignedDigests {
  const read = (): Kept => parse(storage.get(KEY))
  return {
    get: (id) => read().find(([known]) => known === id)?.[1],
    set: (id, digest) => {
      const others = read().filter(([known]) => known !== id)
      storage.set(KEY, JSON.stringify([...others, [id, digest]].slice(-STORED_CAPACITY)))
    },
  }
}

function parse(text: string | null): Kept {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPair) : []
  } catch {
    return [] // changed by another program of this origin
  }
}

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && isHex(value[0], 32) && isHex(value[1], 32)
