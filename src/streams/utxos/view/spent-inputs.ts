import { EMPTY, defer, distinctUntilChanged, filter, map, type Observable } from 'rxjs'
import { toAddress } from '../../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../../model/network.js'
import type { Outpoint } from '../../../model/utxo.js'
import { createTracker, type TrackerDeps } from './tracker.js'
import { isCounted } from '../unconfirmed/record.js'
import type { UnconfirmedRecords } from '../unconfirmed/records.js'

export type SpentInputsDeps = TrackerDeps & {
  readonly unconfirmed: { readonly records: UnconfirmedRecords }
  readonly network: () => ChainNetwork
}

/**
 * Whether the UTXO index lacks an input of an own payment, apart from outputs of transactions that are not accepted
 * either. Tracks the addresses of the inputs; emits only changes, and only while the index is up to date. Completes at
 * once for another transaction.
 */
export const isSpent$ = (id: string, deps: SpentInputsDeps): Observable<boolean> =>
  defer(() => {
    const { records } = deps.unconfirmed
    const inputs = inputsOf(id, records, deps.network())
    if (inputs.length === 0) return EMPTY
    const addresses = [...new Set(inputs.map(({ address }) => address))]
    const isMissing = ({ address, outpoint }: OwnInput): boolean => {
      const parent = records.all.get(outpoint.transactionId)
      const isKnown = deps.utxoSets.all.get(address)?.entries.get(outpoint) !== undefined
      return !isKnown && !(parent !== undefined && isCounted(parent))
    }
    return createTracker(addresses, { mempoolInterval: 0 }, deps).state$.pipe(
      filter(({ freshness }) => freshness === 'fresh'),
      map(() => inputs.some(isMissing)),
      distinctUntilChanged(),
    )
  })

interface OwnInput {
  readonly outpoint: Outpoint
  readonly address: string
}

function inputsOf(id: string, { all }: UnconfirmedRecords, network: ChainNetwork): readonly OwnInput[] {
  const { addressPrefix } = NETWORKS[network]
  return (all.get(id)?.transaction.inputs ?? []).flatMap(({ outpoint, scriptPublicKey }) => {
    const address = scriptPublicKey === undefined ? undefined : toAddress(scriptPublicKey, addressPrefix)
    return address === undefined ? [] : [{ outpoint, address }]
  })
}
