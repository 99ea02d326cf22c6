import type { UtxoEntry } from '../../../src/model/utxo.js'

/** Two addresses of simnet that nobody has a key for. */
export const ALICE = 'kaspasim:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsznh44uvny'
export const BOB = 'kaspasim:qqpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqy6qg6ad7n'

/** A coin, named by a number. */
export const coin = (n: number, more: Partial<UtxoEntry> = {}): UtxoEntry => ({
  address: ALICE,
  outpoint: { transactionId: n.toString(16).padStart(64, '0'), index: 0 },
  amount: BigInt(n) * 100n,
  scriptPublicKey: { version: 0, script: '' },
  blockDaaScore: 10n,
  isCoinbase: false,
  ...more,
})
