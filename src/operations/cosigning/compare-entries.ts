import { untrustedPskb } from '../../errors/cosigning-errors.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import { toAddress } from '../../model/address.js'
import type { AddressPrefix } from '../../model/network.js'
import { toOutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import { findInMempool } from '../transactions/replaced.js'
import { spentOf, type BundleTransaction } from './bundle.js'
import { isSameOutput } from './rules.js'

/**
 * Compares what a text states of the outputs that it spends with the node's UTXO set and mempool. Rejects with
 * `UntrustedPskbError`: `spent`, `amounts`; and with `ChainRpcError`.
 */
export async function requireEntries(
  bundle: readonly BundleTransaction[],
  prefix: AddressPrefix,
  call: Call,
  options: AbortOptions,
): Promise<void> {
  const known = await fetchEntries(bundle, prefix, call, options)
  for (const [transaction, each] of bundle.entries())
    for (const [input, stated] of spentOf(each).entries()) {
      if (each.chained.has(input)) continue
      const entry = known.get(toOutpointKey(stated.outpoint)) ?? (await unconfirmed(stated, call))
      if (entry === undefined) throw untrustedPskb('spent', transaction, input)
      if (!isSame(stated, entry)) throw untrustedPskb('amounts', transaction, input)
    }
}

async function fetchEntries(
  bundle: readonly BundleTransaction[],
  prefix: AddressPrefix,
  call: Call,
  options: AbortOptions,
): Promise<ReadonlyMap<string, UtxoEntry>> {
  const scripts = bundle.flatMap((each) => spentOf(each).filter((_, at) => !each.chained.has(at)))
  const addresses = new Set(scripts.map(({ scriptPublicKey }) => toAddress(scriptPublicKey, prefix)))
  const known = [...addresses].filter((address) => address !== undefined)
  if (known.length === 0) return new Map()
  const { entries } = await call('getUtxosByAddresses', { addresses: known }, options)
  return new Map(entries.map((entry) => [toOutpointKey(entry.outpoint), entry]))
}

/** An output of a transaction in the mempool; its id covers amount and script. */
async function unconfirmed({ outpoint }: UtxoEntry, call: Call): Promise<UtxoEntry | undefined> {
  const output = (await findInMempool(outpoint.transactionId, call))?.outputs[outpoint.index]
  if (output === undefined) return undefined
  const { value: amount, scriptPublicKey, covenant } = output
  return { outpoint, amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false, covenantId: covenant?.covenantId }
}

const isSame = (stated: UtxoEntry, { amount, scriptPublicKey, isCoinbase, covenantId }: UtxoEntry): boolean =>
  isSameOutput(stated, amount, scriptPublicKey) && stated.isCoinbase === isCoinbase && covenantId === undefined
