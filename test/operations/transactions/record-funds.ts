import { addressVersionOf, isValidAddress, toScriptPublicKey } from '../../../src/model/address.js'
import { isMature } from '../../../src/model/spendable.js'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import { feeOfSpending, type FeePolicy } from '../../../src/operations/transactions/plan/fee.js'

export interface RecordRules {
  readonly score: bigint
  readonly coinbaseMaturity: bigint
  readonly isReserved: (entry: UtxoEntry) => boolean
  readonly policy: FeePolicy
  readonly spendsBound: boolean
}

/** The spendable entries by amount, and the sum of each class, by their definitions. */
export function recordFunds(entries: readonly UtxoEntry[], rules: RecordRules) {
  const own = { spendable: 0n, immature: 0n, reserved: 0n, dust: 0n, bound: 0n }
  const sums = { ...own, invalid: 0n, device: 0n, script: 0n, foreign: 0n }
  const spendable = withoutDuplicates(entries).filter((entry) => {
    const kind = kindOf(entry, rules)
    sums[kind] += entry.amount
    return kind === 'spendable'
  })
  return { sums, spendable: spendable.sort(compare) }
}

/** The last of equal outpoints counts, among those with the script of their address. */
const withoutDuplicates = (entries: readonly UtxoEntry[]): UtxoEntry[] => {
  const valid = entries.filter(hasOwnScript)
  return [
    ...new Map(valid.map((entry) => [toOutpointKey(entry.outpoint), entry])).values(),
    ...entries.filter((entry) => !hasOwnScript(entry)),
  ]
}

function kindOf(entry: UtxoEntry, { score, coinbaseMaturity, isReserved, policy, spendsBound }: RecordRules) {
  if (!hasOwnScript(entry)) return 'invalid'
  const version = addressVersionOf(entry.scriptPublicKey)
  if (version === undefined || version === 'ScriptHash') return entry.covenantId === undefined ? 'script' : 'foreign'
  if (isReserved(entry)) return 'reserved'
  if (!isMature(entry, score, coinbaseMaturity)) return 'immature'
  if (entry.amount <= feeOfSpending(policy)) return 'dust'
  return entry.covenantId === undefined || spendsBound ? 'spendable' : 'bound'
}

const hasOwnScript = ({ address, scriptPublicKey: { version, script } }: UtxoEntry): boolean =>
  address === undefined || (isValidAddress(address) && version === 0 && script === toScriptPublicKey(address).script)

function compare(a: UtxoEntry, b: UtxoEntry): number {
  if (a.amount !== b.amount) return a.amount > b.amount ? -1 : 1
  return toOutpointKey(a.outpoint) < toOutpointKey(b.outpoint) ? -1 : 1
}
