import { isHex } from '../../model/hex.js'
import type { Pskt } from '../../model/pskb/records.js'
import { toOutpointKey } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import { findInMempool } from '../transactions/replaced.js'
import type { BundleTransaction } from './bundle.js'

/** The member of `proprietaries` that names the payment which a bundle replaces; other software keeps it. */
const REPLACES = 'vue-chain/replaces'

/** Names the payment that a transaction replaces. */
export const withReplaced = (pskt: Pskt, replaces: string | undefined): Pskt =>
  replaces === undefined
    ? pskt
    : { ...pskt, global: { ...pskt.global, proprietaries: new Map([[REPLACES, replaces]]) } }

/**
 * The payment in the mempool that a bundle names and whose outputs it spends; undefined where there is none, whatever
 * the text states.
 */
export async function findReplaced(bundle: readonly BundleTransaction[], call: Call): Promise<string | undefined> {
  const named = bundle.map(({ pskt }) => pskt.global.proprietaries.get(REPLACES))
  const id = named.find((each): each is string => isHex(each, 32))
  const replaced = id === undefined ? undefined : await findInMempool(id, call)
  if (replaced === undefined) return undefined
  const spent = new Set(replaced.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)))
  const isShared = bundle.some(({ transaction: { inputs } }) =>
    inputs.some(({ previousOutpoint }) => spent.has(toOutpointKey(previousOutpoint))),
  )
  return isShared ? id : undefined
}
