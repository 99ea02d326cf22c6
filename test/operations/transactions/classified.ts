import { finish } from '../../../src/loading/steps.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { checkEntries } from '../../../src/operations/transactions/check-entries.js'
import type { FeePolicy } from '../../../src/operations/transactions/plan/fee.js'
import {
  sortFunds,
  spendableFunds,
  type SpendableFunds,
} from '../../../src/operations/transactions/plan/spendable-funds.js'
import { createScriptClasses } from '../../../src/operations/transactions/script-classes.js'

/** The funds of entries of simnet, none of them immature or reserved. */
export function classified(
  entries: readonly UtxoEntry[],
  policy: FeePolicy,
  fixed: readonly UtxoEntry[] = [],
): SpendableFunds {
  const utxos = checkEntries(entries, 'simnet', createScriptClasses())
  const rules = { policy, latestCoinbase: 2n ** 63n, spendsBound: false }
  return spendableFunds(finish(sortFunds(utxos, rules, fixed)), { reserved: [] })
}
