import type { Claim } from '../../model/claims/claim.js'
import { packOutpoints } from '../../model/claims/packed-outpoints.js'
import { toScriptKey, type ScriptPublicKey } from '../../model/utxo.js'
import type { ClaimedPlan } from '../../operations/transactions/transaction-operations.js'

/** The claims of a plan, with what returns to its payer. */
export function toClaims(
  { payments, change, replaces }: ClaimedPlan,
  facts: Pick<Claim, 'kind' | 'state' | 'owner' | 'at'>,
): readonly Claim[] {
  return payments.map(({ id, inputs, outputs }) => {
    // inputs of one address have one record of its script
    const scripts = new Set([change, ...inputs.map(({ scriptPublicKey }) => scriptPublicKey)])
    const own = new Set([...scripts].map((script) => script && toScriptKey(script)))
    const isOwn = (script: ScriptPublicKey): boolean => own.has(toScriptKey(script))
    return {
      version: 1,
      id,
      outpoints: packOutpoints(inputs.map(({ outpoint }) => outpoint)),
      ...facts,
      change: outputs.flatMap(({ value, scriptPublicKey }, index) =>
        isOwn(scriptPublicKey) ? [{ index, value, scriptPublicKey }] : [],
      ),
      replaces,
    }
  })
}
