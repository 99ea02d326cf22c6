import { storageMass } from '../../../model/mass.js'
import { findUtxos } from '../chain/acceptance.js'
import type { ChainState } from '../chain/chain-state.js'
import { toKnownTransaction, type KnownTransaction } from '../transaction.js'

/** Fee of a double spend, in sompi. */
const FEE = 10_000n

/**
 * Replaces payments by transactions that spend the same UTXOs and pay them back to the address of the first one. They
 * have no signature: this node accepts them as if they were signed. A payment that spends no UTXO at `fork` is left
 * out.
 */
export function doubleSpend(
  state: ChainState,
  fork: string,
  payments: readonly KnownTransaction[],
  ids: ReadonlySet<string>,
): readonly KnownTransaction[] {
  if (ids.size === 0) return payments
  const { utxos } = state.virtualOn([fork])
  return payments.flatMap((payment) => {
    if (!ids.has(payment.id)) return [payment]
    const [first, ...others] = findUtxos(payment, utxos) ?? []
    if (first === undefined) return []
    const value = others.reduce((sum, { amount }) => sum + amount, first.amount) - FEE
    const unweighed = { ...payment.transaction, outputs: [{ value, scriptPublicKey: first.scriptPublicKey }] }
    const known = toKnownTransaction({ ...unweighed, mass: storageMass(unweighed, [first, ...others]) })
    state.validation.verificationCache.trust(known)
    return [known]
  })
}
