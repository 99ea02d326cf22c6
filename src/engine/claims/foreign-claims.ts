import type { Claim } from '../../model/claims/claim.js'
import type { Claims } from '../../model/claims/reduce-claims.js'
import type { Unconfirmed } from '../../streams/utxos/unconfirmed/unconfirmed.js'
import { unpackOutpoints, packOutpoints } from '../../model/claims/packed-outpoints.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'
import { toScriptKey, type ScriptPublicKey } from '../../model/utxo.js'
import type { ClaimedPlan } from '../../operations/transactions/transaction-operations.js'

/** Stands for an output to a recipient, which a claim does not name: no address has this script. */
const UNKNOWN: TransactionOutput = { value: 0n, scriptPublicKey: { version: 0, script: '' } }

/** The claims of other tabs, and of journals, as reservations of this tab. */
export class ForeignClaims {
  /** With what releases each in this tab. */
  readonly #all = new Map<string, Pick<Claim, 'kind'> & { readonly release: () => void }>()

  constructor(
    private readonly unconfirmed: Unconfirmed,
    /** Whether a claim is of this tab. */
    private readonly isOwn: (claim: Pick<Claim, 'id'> & Partial<Claim>) => boolean,
  ) {}

  get size(): number {
    return this.#all.size
  }

  has(id: string): boolean {
    return this.#all.has(id)
  }

  /** The ids of payments, without payouts. */
  payments(): readonly string[] {
    return [...this.#all].flatMap(([id, { kind }]) => (kind === 'payment' ? id : []))
  }

  /** Reserves what other tabs have claimed, and releases what they have no longer. */
  merge(claims: Claims): void {
    for (const [id, { release }] of this.#all) {
      if (claims.has(id) && !this.isOwn({ id })) continue
      this.#all.delete(id)
      release()
    }
    for (const claim of claims.values()) {
      const { id, kind } = claim
      if (!this.isOwn(claim) && !this.#all.has(id)) this.#all.set(id, { kind, release: this.#reserve(claim) })
    }
  }

  release(): void {
    for (const { release } of this.#all.values()) release()
    this.#all.clear()
  }

  #reserve(claim: Claim): () => void {
    const isSpent = this.unconfirmed.records.all.get(claim.id)?.own.step === 'accepted'
    return isSpent ? () => undefined : this.unconfirmed.reserve(toPayment(claim), Infinity)
  }
}

/** A claim as the payment that it is of, with its change only. */
function toPayment({ id, outpoints, change }: Claim): UnconfirmedTransaction {
  const last = Math.max(-1, ...change.map(({ index }) => index))
  const byIndex = new Map(change.map((output) => [output.index, output]))
  return {
    id,
    inputs: unpackOutpoints(outpoints).map((outpoint) => ({ outpoint })),
    outputs: Array.from({ length: last + 1 }, (_, index) => {
      const output = byIndex.get(index)
      return output === undefined ? UNKNOWN : { value: output.value, scriptPublicKey: output.scriptPublicKey }
    }),
  }
}

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
