import { toScriptPublicKey } from '../../../src/model/address.js'
import type { UnconfirmedTransaction } from '../../../src/model/unconfirmed-transaction.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { AmountCheck } from '../../../src/streams/utxos/store/amount-claims.js'
import { EntrySet } from '../../../src/streams/utxos/store/entry-set.js'
import { createOutpointHash } from '../../../src/streams/utxos/store/outpoint-hash.js'
import { OutpointMap } from '../../../src/streams/utxos/store/outpoint-map.js'

/** Two simnet addresses without a known private key. */
export const ALICE = 'kaspasim:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsznh44uvny'
export const BOB = 'kaspasim:qqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqy6qg6ad7n'

/** An unconfirmed transaction, identified by a number, as `utxo(n)` is: its output 0 is the UTXO with that number. */
export const payment = (
  n: number,
  { spends = [], pays = [] }: { readonly spends?: readonly UtxoEntry[]; readonly pays?: readonly Payment[] } = {},
): UnconfirmedTransaction => ({
  id: utxo(n).outpoint.transactionId,
  inputs: spends.map(({ outpoint, scriptPublicKey }) => ({ outpoint, scriptPublicKey })),
  outputs: pays.map(([address, value]) => ({ value, scriptPublicKey: toScriptPublicKey(address) })),
})

type Payment = readonly [address: string, amount: bigint]

/** A UTXO, identified by a number. */
export const utxo = (n: number, more: Partial<UtxoEntry> = {}): UtxoEntry => ({
  address: ALICE,
  outpoint: { transactionId: n.toString(16).padStart(64, '0'), index: 0 },
  amount: BigInt(n) * 100n,
  scriptPublicKey: toScriptPublicKey(more.address ?? ALICE),
  blockDaaScore: 0n,
  isCoinbase: false,
  ...more,
})

export const createSet = (seed = 0): EntrySet => new EntrySet(createOutpointHash(seed))

export const createMap = (seed = 0): OutpointMap => new OutpointMap(createOutpointHash(seed))

/** Accepts every amount. */
export const ANY_AMOUNT: AmountCheck = { isEmpty: true, hasConflicts: false, accepts: () => true }
