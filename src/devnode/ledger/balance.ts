import { toScriptPublicKey } from '../../model/address.js'
import { isMature } from '../../model/maturity.js'
import type { Network } from './network.js'
import { scriptKey } from './utxo/addresses.js'

/** What an address has, in sompi. */
export interface TrueBalance {
  readonly address: string
  /** May be spent now, as far as its age goes. */
  readonly mature: bigint
  /** Mined, and not ripe yet. */
  readonly ripening: bigint
  /** Paid to it by transactions of the mempool, change included. */
  readonly incoming: bigint
}

/** Adds up the coins of an address. Throws `ChainError` (`invalid-argument`) for one that cannot be. */
export function balanceOf({ state, mempool }: Network, address: string): TrueBalance {
  const script = toScriptPublicKey(address, 'address')
  const score = state.virtual.context.daaScore
  const coins = [...state.coins.heldBy(script)]
  const ripe = coins.filter((coin) => isMature(coin, score, state.judge.coinbaseMaturity))
  const outputs = [...mempool.pool.entries()].flatMap(({ known }) => known.transaction.outputs)
  const paid = outputs.filter(({ scriptPublicKey }) => scriptKey(scriptPublicKey) === scriptKey(script))
  const mature = sum(ripe.map(({ amount }) => amount))
  return {
    address,
    mature,
    ripening: sum(coins.map(({ amount }) => amount)) - mature,
    incoming: sum(paid.map(({ value }) => value)),
  }
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
