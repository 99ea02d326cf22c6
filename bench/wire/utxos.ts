import { encodeAddress } from '../../src/model/address.js'
import { toHex } from '../../src/model/hex.js'
import type { UtxoEntry } from '../../src/model/utxo.js'

/** Number of addresses: those of a wallet or a small exchange. */
const ADDRESSES = 100

/**
 * `count` testnet UTXOs in the order of a node, the same in every run: one address after the other, those of an address
 * in no order.
 */
export function utxos(count: number, addresses: number = ADDRESSES): UtxoEntry[] {
  const bytes = randomBytes(7)
  const scripts = Array.from({ length: addresses }, () => bytes(32)).map((key) => ({
    address: encodeAddress('kaspatest', 'PubKey', key),
    scriptPublicKey: { version: 0, script: `20${toHex(key)}ac` },
  }))
  return Array.from({ length: count }, (_, row) => {
    const index = (row * PRIME) % count
    return {
      ...(scripts[Math.floor((row * addresses) / count)] ?? { scriptPublicKey: { version: 0, script: '' } }),
      outpoint: { transactionId: toHex(bytes(32)), index: index % 4 },
      amount: BigInt(100_000_000 + index * 7_919),
      blockDaaScore: BigInt(90_000_000 + index),
      isCoinbase: index % 50 === 0,
      covenantId: undefined,
    }
  })
}

/** Its multiples visit each index once, where it does not divide their number. */
const PRIME = 7_927

/** Distinct addresses of the entries. */
export const addressesOf = (entries: readonly UtxoEntry[]): string[] => [
  ...new Set(entries.flatMap(({ address = [] }) => address)),
]

/** Reads every field of every entry; the sum keeps the reads from being optimised away. */
export function readAll(entries: readonly UtxoEntry[]): number {
  let sum = 0
  for (const { address = '', outpoint, amount, scriptPublicKey, blockDaaScore, isCoinbase } of entries) {
    sum += address.length + outpoint.transactionId.length + outpoint.index + scriptPublicKey.script.length
    sum += scriptPublicKey.version + Number(amount & 1n) + Number(blockDaaScore & 1n) + Number(isCoinbase)
  }
  return sum
}

function randomBytes(seed: number): (length: number) => Uint8Array {
  let state = seed
  const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0)
  return (length) => Uint8Array.from({ length }, () => next() >>> 24)
}
