import { toScriptPublicKey } from '../../../model/address.js'
import { give, refuse } from '../answer.js'
import { MAX_SOMPI } from '../params.js'
import { scriptKey } from '../utxo/addresses.js'
import { firstHeavier } from '../chain/merger.js'
import type { Queries } from './scope.js'

/** Coins by address. Only the script that an address stands for counts, not its prefix. */
export const coinQueries: Queries<
  'getUtxosByAddresses' | 'getBalanceByAddress' | 'getBalancesByAddresses' | 'getCoinSupply' | 'getUtxoReturnAddress'
> = {
  getUtxosByAddresses: ({ network: { state } }, { addresses }) => {
    const scripts = addresses.map((address) => toScriptPublicKey(address))
    const unique = [...new Map(scripts.map((script) => [scriptKey(script), script])).values()]
    return give({ entries: unique.flatMap((script) => [...state.coins.heldBy(script)]) })
  },

  getBalanceByAddress: ({ network: { state } }, { address }) =>
    give({ balance: state.coins.balanceOf(toScriptPublicKey(address)) }),

  getBalancesByAddresses: ({ network: { state } }, { addresses }) =>
    give({
      entries: addresses.map((address) => ({ address, balance: state.coins.balanceOf(toScriptPublicKey(address)) })),
    }),

  getCoinSupply: ({ network: { state } }) => give({ maxSompi: MAX_SOMPI, circulatingSompi: state.coins.supply }),

  getUtxoReturnAddress: ({ network: { state } }, { txid, acceptingBlockDaaScore }) => {
    const { chain, dag } = state
    const scoreAt = (place: number): bigint => dag.get(chain.at(place)).header.daaScore
    const place = firstHeavier(chain.length, (at) => scoreAt(at) >= acceptingBlockDaaScore)
    if (place === chain.length || scoreAt(place) !== acceptingBlockDaaScore)
      return refuse('utxo inquirer error: Transaction not found at given accepting daa score')
    const merged = state.acceptanceOf(chain.at(place))?.merged ?? []
    const accepted = merged.flatMap((block) => block.accepted).find(({ known }) => known.id === txid)
    if (accepted === undefined)
      return refuse(`utxo inquirer error: Did not find queried transactions in acceptance data: [${txid}]`)
    const [first] = accepted.spent
    if (first === undefined) return refuse('utxo inquirer error: Transaction return address is coinbase')
    if (first.address === undefined) return refuse('utxo inquirer error: Transaction was found but not standard')
    return give({ returnAddress: first.address })
  },
}
