import { toScriptPublicKey } from '../../model/address.js'
import { MAX_SOMPI, isPossibleAmount } from '../../model/amount.js'
import { MAX_OUTPUT_INDEX, toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { InvalidEntry, InvalidReason } from '../utxos/store/store.js'

/** Called with the UTXO entries that a node reported in a response and that are left out. */
export type OnInvalidResponse = (invalid: readonly InvalidEntry[]) => void

/**
 * A response without the UTXO entries that do not belong to the request: their script is not that of a requested
 * address, their amount cannot exist, alone or with those before, or their outpoint repeats or cannot exist. A node may
 * send those of anybody.
 */
export function withoutForeignEntries(
  { addresses }: RpcRequest<'getUtxosByAddresses'>,
  response: RpcResponse<'getUtxosByAddresses'>,
  onInvalid: OnInvalidResponse,
): RpcResponse<'getUtxosByAddresses'> {
  const { valid, invalid } = splitEntries(response.entries, addresses)
  if (invalid.length === 0) return response
  onInvalid(invalid)
  return { entries: valid }
}

function splitEntries(entries: readonly UtxoEntry[], addresses: readonly string[]) {
  const reasonOf = createCheck(addresses)
  const valid: UtxoEntry[] = []
  const invalid: InvalidEntry[] = []
  for (const entry of entries) {
    const reason = reasonOf(entry)
    if (reason === undefined) valid.push(entry)
    else invalid.push({ outpoint: entry.outpoint, reason })
  }
  return { valid, invalid }
}

function createCheck(addresses: readonly string[]): (entry: UtxoEntry) => InvalidReason | undefined {
  const byScript = new Map(addresses.map((address) => [toScriptPublicKey(address).script, address]))
  const outpoints = new Set<OutpointKey>()
  let sum = 0n
  return ({ address, outpoint, amount, scriptPublicKey: { version, script } }) => {
    const requested = version === 0 ? byScript.get(script) : undefined
    if (requested === undefined || (address ?? requested) !== requested) return 'script'
    if (!isPossibleAmount(amount)) return 'amount'
    const key = toOutpointKey(outpoint)
    if (outpoints.has(key) || outpoint.index > MAX_OUTPUT_INDEX) return 'script'
    if (sum + amount > MAX_SOMPI) return 'supply'
    outpoints.add(key)
    sum += amount
    return undefined
  }
}
