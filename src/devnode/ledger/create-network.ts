import { invalidArgument } from '../../errors/chain-error.js'
import { isValidAddress, toScriptPublicKey } from '../../model/address.js'
import type { NetworkParams } from '../../model/network.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { ChainState } from './chain/chain-state.js'
import { Dag } from './chain/dag.js'
import { createGenesis, genesisOutpoint } from './chain/genesis.js'
import type { Network } from './mempool/admission.js'
import { Mempool } from './mempool/mempool.js'
import { MAX_SOMPI } from './params.js'
import { Verified } from './rules/verified.js'
import type { Coin } from './steps/fund.js'
import { Addresses } from './utxo/addresses.js'
import { UtxoSet } from './utxo/utxo-set.js'

/** A network at its first block, with coins that are there from the start. */
export function createNetwork(params: NetworkParams, coins: readonly UtxoEntry[]): Network {
  const genesis = createGenesis(params.id, coins)
  const dag = new Dag(genesis.hash)
  dag.insert(genesis)
  const set = new UtxoSet()
  set.apply({ removed: [], added: coins })
  set.takeChanges()
  const addresses = new Addresses(params.addressPrefix)
  const judge = { coinbaseMaturity: params.coinbaseMaturity, addresses, verified: new Verified() }
  return { state: ChainState.begin(dag, params.id, judge, set), mempool: Mempool.empty() }
}

/** The coins as entries. Throws `ChainError` (`invalid-argument`) for one that cannot be. */
export function toGenesisEntries(params: NetworkParams, coins: readonly Coin[]): readonly UtxoEntry[] {
  return coins.map(({ address, amount }, index) => {
    demandCoin(params, { address, amount }, `genesisCoins[${String(index)}]`)
    const scriptPublicKey = toScriptPublicKey(address)
    return { address, outpoint: genesisOutpoint(index), amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
  })
}

/** Throws `ChainError` for an address of another network, and for an amount that no output can have. */
export function demandCoin({ id, addressPrefix }: NetworkParams, { address, amount }: Coin, argument: string): void {
  const isOurs: boolean = isValidAddress(address, id)
  if (!isOurs)
    throw invalidArgument(
      `${argument}.address`,
      `"${address}" is no address of ${id}`,
      `It begins with ${addressPrefix}:`,
    )
  if (amount <= 0n || amount > MAX_SOMPI)
    throw invalidArgument(
      `${argument}.amount`,
      `${String(amount)} sompi cannot be paid`,
      'It is above 0n and in sompi.',
    )
}
