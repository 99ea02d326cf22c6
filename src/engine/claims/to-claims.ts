import type { Claim } from '../../model/claims/claim.js'
import { toOutpointKey, toScriptKey, type ScriptPublicKey } from '../../model/utxo.js'
import type { ClaimedPlan } from '../../operations/transactions/dependencies.js'

/** The claims of a plan, with what returns to its payer. */
export function toClaims(
  { payments, change, replaces }: ClaimedPlan,
  facts: Pick<Claim, 'kind' | 'state' | 'owner' | 'at'>,
): readonly Claim[] {
  return payments.map(({ id, inputs, outputs }) => {
    const scripts = inputs.flatMap(({ scriptPublicKey }) => scriptPublicKey ?? [])
    const own = new Set([...scripts, ...(change === undefined ? [] : [change])].map(toScriptKey))
    const isOwn = (script: ScriptPublicKey): boolean => own.has(toScriptKey(script))
    return {
      version: 1,
      id,
      outpoints: inputs.map(({ outpoint }) => toOutpointKey(outpoint)),
      ...facts,
      change: outputs.flatMap(({ value, scriptPublicKey }, index) =>
        isOwn(scriptPublicKey) ? [{ index, value, scriptPublicKey }] : [],
      ),
      replaces,
    }
  })
}
