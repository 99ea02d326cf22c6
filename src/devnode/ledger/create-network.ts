import { invalidArgument } from '../../errors/chain-error.js'
import { isValidAddress, toScriptPublicKey } from '../../model/address.js'
import type { NetworkParams } from '../../model/network.js'
import type { ScriptPublicKey, UtxoEntry } from '../../model/utxo.js'
import { ChainState } from './chain/chain-state.js'
import { Dag } from './chain/dag.js'
import { createGenesis, genesisOutpoint } from './chain/genesis.js'
import type { Network } from './network.js'
import { Refusals } from './mempool/refusals.js'
import { Mempool } from './mempool/mempool.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { retainAll } from './retention.js'
import { VerificationCache } from './rules/verification-cache.js'
import type { Utxo } from './steps/fund.js'
import { Addresses } from './utxo/addresses.js'
import { UtxoSet } from './utxo/utxo-set.js'

/** A network at genesis with an initial UTXO set. */
export function createNetwork(
  params: NetworkParams,
  utxos: readonly UtxoEntry[],
  refusals: Refusals = new Refusals(),
): Network {
  const genesis = createGenesis(params.id, utxos)
  const dag = new Dag(genesis.hash)
  dag.insert(genesis)
  const utxoSet = new UtxoSet()
  utxoSet.apply({ removed: [], added: utxos })
  utxoSet.takeChanges()
  const addresses = new Addresses(params.addressPrefix)
  const validation = {
    coinbaseMaturity: params.coinbaseMaturity,
    addresses,
    verificationCache: new VerificationCache(),
  }
  const state = ChainState.atGenesis(dag, params.id, validation, utxoSet)
  return { state, mempool: Mempool.empty(), retention: retainAll(genesis.hash), refusals }
}

/** UTXO entries of genesis. Throws `ChainError` (`invalid-argument`) for an invalid address or amount. */
export function toGenesisEntries(params: NetworkParams, utxos: readonly Utxo[]): readonly UtxoEntry[] {
  const scripts = new Map<string, ScriptPublicKey>()
  return utxos.map(({ address, amount }, index) => {
    const argument = `genesisUtxos[${String(index)}]`
    const scriptPublicKey = scripts.get(address) ?? scriptOf(params, address, argument)
    scripts.set(address, scriptPublicKey)
    assertAmount(amount, argument)
    return { address, outpoint: genesisOutpoint(index), amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
  })
}

/** Throws `ChainError` for an address of another network and for an amount outside 1 to `MAX_SOMPI`. */
export function assertUtxo(params: NetworkParams, { address, amount }: Utxo, argument: string): void {
  scriptOf(params, address, argument)
  assertAmount(amount, argument)
}

function scriptOf({ id, addressPrefix }: NetworkParams, address: string, argument: string): ScriptPublicKey {
  if (isValidAddress(address, id)) return toScriptPublicKey(address)
  throw invalidArgument(
    `${argument}.address`,
    `"${address as string}" is no address of ${id}`,
    `Use an address that begins with ${addressPrefix}:`,
  )
}

function assertAmount(amount: bigint, argument: string): void {
  if (amount > 0n && amount <= MAX_SOMPI) return
  throw invalidArgument(
    `${argument}.amount`,
    `${String(amount)} sompi cannot be paid`,
    `Use an amount in sompi from 1n to ${String(MAX_SOMPI)}n.`,
  )
}
