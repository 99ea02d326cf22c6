/** Where an output stands: the transaction that made it, and its position in that transaction's outputs. */
export interface Outpoint {
  readonly transactionId: string
  readonly index: number
}

/** A locking script: the script's version and its bytes in hex, without the version. */
export interface ScriptPublicKey {
  readonly version: number
  readonly script: string
}

/** An unspent output, plain data. Compatible with the SDK's UTXO entries. */
export interface UtxoEntry {
  /** Undefined where the script has no address form. */
  readonly address?: string | undefined
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** The DAA score of the accepting block; the clock of coinbase maturity. */
  readonly blockDaaScore: bigint
  readonly isCoinbase: boolean
  /** Set where a covenant binds the output (nodes of 2.x); such an entry is never offered for spending. */
  readonly covenantId?: string | undefined
}

/** What a set of entries is worth, in sompi. */
export interface UtxoBalance {
  /** Spendable now: ordinary entries, and coinbase past its maturity. */
  readonly mature: bigint
  /** Coinbase within its maturity delay, and unconfirmed incoming payments. */
  readonly pending: bigint
  /** Always 0n, reserved. */
  readonly outgoing: bigint
}

/** An outpoint as a map's key: `<transaction id>:<index>`. */
export type OutpointKey = `${string}:${number}`

/** The key of an outpoint in maps and sets. */
export const toOutpointKey = (outpoint: Outpoint): OutpointKey => `${outpoint.transactionId}:${outpoint.index}`

/** The outpoint that a key stands for. */
export function parseOutpointKey(key: OutpointKey): Outpoint {
  const colon = key.lastIndexOf(':')
  return { transactionId: key.slice(0, colon), index: Number(key.slice(colon + 1)) }
}
