import { EMPTY, catchError, map, tap, type Observable } from 'rxjs'
import type { ScriptPublicKey } from '../../model/utxo.js'
import type { RpcMempoolEntry } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'
import type { AddressSet } from './address-set.js'
import { setIncoming, type Incoming } from './incoming.js'
import { isPossibleAmount, isSameScript } from './valid-entries.js'

/** Reads the unconfirmed payments to some addresses once. A failure is ignored until the next read. */
export function readMempool$(
  addressSets: readonly AddressSet[],
  { call }: Pick<NodeLink, 'call'>,
): Observable<unknown> {
  const request = {
    addresses: addressSets.map(({ address }) => address),
    includeOrphanPool: false,
    filterTransactionPool: false, // true returns only orphans
  }
  return call('getMempoolEntriesByAddresses', request).pipe(
    map(({ entries }) => new Map(entries.map(({ address, receiving }) => [address, receiving]))),
    tap((receiving) => {
      for (const set of addressSets) setIncoming(set, toIncoming(set.script, receiving.get(set.address) ?? []))
    }),
    catchError(() => EMPTY), // unconfirmed payments are optional; the next read or the confirmation corrects them
  )
}

/** The outputs of mempool entries that pay to a script. */
export function toIncoming(script: ScriptPublicKey, entries: readonly RpcMempoolEntry[]): readonly Incoming[] {
  return entries.flatMap(({ transaction: { outputs, verboseData } }) => {
    const transactionId = verboseData?.transactionId
    if (transactionId === undefined) return []
    const incoming = outputs.map((output, index) => ({ output, outpoint: { transactionId, index } }))
    return incoming
      .filter(({ output }) => isSameScript(output.scriptPublicKey, script) && isPossibleAmount(output.value))
      .map(({ output, outpoint }) => ({ outpoint, amount: output.value }))
  })
}
