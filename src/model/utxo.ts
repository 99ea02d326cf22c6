/** Reference to an output: its transaction and its index. */
export interface Outpoint {
  readonly transactionId: string
  readonly index: number
}

/**
 * The greatest index that an output is taken to have: what a signed integer of 32 bits holds, as in databases. No
 * transaction has as many outputs.
 */
export const MAX_OUTPUT_INDEX = 2 ** 31 - 1

/** A locking script: the script's version and its bytes in hex, without the version. */
export interface ScriptPublicKey {
  readonly version: number
  readonly script: string
}

/** A UTXO as plain data, compatible with the SDK's UTXO entries. */
export interface UtxoEntry {
  /** Undefined if the script has no address form. */
  readonly address?: string | undefined
  readonly outpoint: Outpoint
  /** Sompi. */
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** The DAA score of the accepting block, from which coinbase maturity counts. */
  readonly blockDaaScore: bigint
  readonly isCoinbase: boolean
  /** Set if a covenant binds the output (nodes of 2.x); such an entry is spent only with `spendBound`. */
  readonly covenantId?: string | undefined
}

/** Balance of a set of entries, in sompi. Its fields are fixed; `Balance` of `balances$` and `useBalance` says more. */
export interface UtxoBalance {
  /** Spendable now: ordinary entries, and coinbase past its maturity. */
  readonly mature: bigint
  /** Coinbase within its maturity delay, and unconfirmed incoming payments. */
  readonly pending: bigint
  /** Always 0n: own payments in the mempool are already left out of `mature`, so nothing is counted twice. */
  readonly outgoing: bigint
}

/** `<transaction id>:<index>`. */
export type OutpointKey = `${string}:${number}`

/** The key of an outpoint in maps and sets. */
export const toOutpointKey = (outpoint: Outpoint): OutpointKey => `${outpoint.transactionId}:${outpoint.index}`

/** The outpoint of a key. */
export function toOutpoint(key: OutpointKey): Outpoint {
  const at = key.indexOf(':')
  return { transactionId: key.slice(0, at), index: Number(key.slice(at + 1)) }
}

/** The key of a script in maps. */
export const toScriptKey = ({ version, script }: ScriptPublicKey): string => `${version}:${script}`
