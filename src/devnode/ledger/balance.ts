import { toScriptPublicKey } from '../../model/address.js'
import { isMature } from '../../model/maturity.js'
import type { Network } from './network.js'
import { scriptKey } from './utxo/addresses.js'

/** The balance of an address, in sompi. */
export interface ExpectedBalance {
  readonly address: string
  /** Unspent and old enough to spend. */
  readonly mature: bigint
  /** Coinbase outputs below the coinbase maturity. */
  readonly immature: bigint
  /** Outputs of mempool transactions to this address, change included. */
  readonly incoming: bigint
}

/** The balance of an address. Throws `ChainError` (`invalid-argument`) for an invalid address. */
export function balanceOf({ state, mempool }: Network, address: string): ExpectedBalance {
  const script = toScriptPublicKey(address, 'address')
  const score = state.virtual.context.daaScore
  const utxos = [...state.utxos.ofScript(script)]
  const matureUtxos = utxos.filter((utxo) => isMature(utxo, score, state.validation.coinbaseMaturity))
  const outputs = [...mempool.pool.entries()].flatMap(({ known }) => known.transaction.outputs)
  const paid = outputs.filter(({ scriptPublicKey }) => scriptKey(scriptPublicKey) === scriptKey(script))
  const mature = sum(matureUtxos.map(({ amount }) => amount))
  return {
    address,
    mature,
    immature: sum(utxos.map(({ amount }) => amount)) - mature,
    incoming: sum(paid.map(({ value }) => value)),
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
