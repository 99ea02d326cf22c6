import { invalidArgument } from '../../errors/chain-error.js'
import { isValidAddress, toScriptPublicKey } from '../../model/address.js'
import type { NetworkParams } from '../../model/network.js'
import type { ScriptPublicKey, UtxoEntry } from '../../model/utxo.js'
import { ChainState } from './chain/chain-state.js'
import { Dag } from './chain/dag.js'
import { createGenesis, genesisOutpoint } from './chain/genesis.js'
import type { Network } from './network.js'
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

/** The coins as entries; those of one address share its script. Throws `ChainError` (`invalid-argument`) for one that cannot be. */
export function toGenesisEntries(params: NetworkParams, coins: readonly Coin[]): readonly UtxoEntry[] {
  const scripts = new Map<string, ScriptPublicKey>()
  return coins.map(({ address, amount }, index) => {
    const argument = `genesisCoins[${String(index)}]`
    const scriptPublicKey = scripts.get(address) ?? scriptOf(params, address, argument)
    scripts.set(address, scriptPublicKey)
    demandAmount(amount, argument)
    return { address, outpoint: genesisOutpoint(index), amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
  })
}

/** Throws `ChainError` for an address of another network, and for an amount that no output can have. */
export function demandCoin(params: NetworkParams, { address, amount }: Coin, argument: string): void {
  scriptOf(params, address, argument)
  demandAmount(amount, argument)
}

function scriptOf({ id, addressPrefix }: NetworkParams, address: string, argument: string): ScriptPublicKey {
  if (isValidAddress(address, id)) return toScriptPublicKey(address)
  throw invalidArgument(
    `${argument}.address`,
    `"${address as string}" is no address of ${id}`,
    `It begins with ${addressPrefix}:`,
  )
}

function demandAmount(amount: bigint, argument: string): void {
  if (amount > 0n && amount <= MAX_SOMPI) return
  throw invalidArgument(`${argument}.amount`, `${String(amount)} sompi cannot be paid`, 'It is above 0n and in sompi.')
}
