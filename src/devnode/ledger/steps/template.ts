import { decodeAddress, toScriptPublicKey } from '../../../model/address.js'
import type { RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import { toHex } from '../../../model/hex.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import { succeed, fail, type RpcResult } from '../result.js'
import type { Virtual } from '../chain/virtual.js'
import type { Network } from '../network.js'
import { selectTransactions } from '../mempool/selection.js'
import { MAX_COINBASE_PAYLOAD, TEMPLATE_LIFETIME } from '../params.js'
import type { KnownTransaction } from '../transaction.js'
import type { Miner } from '../block.js'
import { assemble } from './assemble.js'

interface Selection {
  readonly virtual: Virtual
  /** Unix milliseconds. */
  readonly at: number
  readonly transactions: readonly KnownTransaction[]
}

/**
 * Block templates. The selected transactions are cached for `TEMPLATE_LIFETIME` or until the next block; later mempool
 * transactions are not included until then.
 */
export class Templates {
  #selection: Selection | undefined

  create(
    network: Network,
    nodeVersion: string,
    { payAddress, extraData }: RpcRequest<'getBlockTemplate'>,
    now: number,
  ): RpcResult<RpcResponse<'getBlockTemplate'>> {
    const { prefix } = decodeAddress(payAddress)
    if (prefix !== network.state.validation.addresses.prefix) return fail(`The address has an invalid prefix ${prefix}`)
    const { virtual, transactions } = this.#select(network, now)
    const miner = toMiner(payAddress, nodeVersion, extraData)
    const { header, transactions: known } = assemble(network.state, virtual, { transactions, miner, timestamp: now })
    const rawTransactions = known.map(({ transaction }) => transaction)
    const payload = rawTransactions[0]?.payload ?? ''
    if (payload.length > 2 * MAX_COINBASE_PAYLOAD)
      return fail(
        `Coinbase payload is above max length (${String(MAX_COINBASE_PAYLOAD)}). Try to shorten the extra data.`,
      )
    return succeed({ block: { header, transactions: rawTransactions }, isSynced: true })
  }

  #select(network: Network, now: number): Selection {
    const last = this.#selection
    const age = last === undefined ? Infinity : now - last.at
    if (last?.virtual === network.state.virtual && age >= 0 && age <= TEMPLATE_LIFETIME) return last
    const selection = { virtual: network.state.virtual, at: now, transactions: selectTransactions(network) }
    this.#selection = selection
    return selection
  }
}

/** Miner data of a coinbase that pays to an address. */
export const toMiner = (address: string, nodeVersion: string, extraData = ''): Miner =>
  minerOfScript(toScriptPublicKey(address, 'address'), nodeVersion, extraData)

/** Miner data of a coinbase: the node prefixes the extra data with its version. */
export function minerOfScript(scriptPublicKey: ScriptPublicKey, nodeVersion: string, extraData: string): Miner {
  const version = toHex(new TextEncoder().encode(`${nodeVersion}/`))
  return { scriptPublicKey, extraData: version + extraData }
}
