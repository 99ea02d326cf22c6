import { toScriptPublicKey } from '../../../src/model/address.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { AmountCheck } from '../../../src/streams/utxos/amount-claims.js'
import { createOutpointHash } from '../../../src/streams/utxos/outpoint-hash.js'
import { OutpointMap } from '../../../src/streams/utxos/outpoint-map.js'

/** Two simnet addresses without a known private key. */
export const ALICE = 'kaspasim:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsznh44uvny'
export const BOB = 'kaspasim:qqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqy6qg6ad7n'

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

export const createMap = (seed = 0): OutpointMap => new OutpointMap(createOutpointHash(seed))

/** Accepts every amount. */
export const ANY_AMOUNT: AmountCheck = { isEmpty: true, accepts: () => true }
