import { ChainError } from '../../../errors/chain-error.js'
import { toOutpointKey, type OutpointKey } from '../../../model/utxo.js'
import type { Draft } from './draft.js'

/**
 * Throws `ChainError` (`malformed`) where a plan spends a UTXO twice: a node reported it twice, or a transaction of the
 * mempool that does.
 */
export function requireDistinctInputs(drafts: readonly Draft[]): void {
  const spent = new Set<OutpointKey>()
  for (const { from } of drafts.flatMap(({ utxos }) => utxos)) {
    if (!('outpoint' in from)) continue
    const key = toOutpointKey(from.outpoint)
    if (spent.has(key)) throw spentTwice(key)
    spent.add(key)
  }
}

const spentTwice = (key: OutpointKey): ChainError =>
  new ChainError(`The payment would spend ${key} twice`, {
    code: 'malformed',
    argument: 'entries',
    hint: 'A node reported it twice: read the entries again from another node.',
  })
