import { computed, shallowRef, toValue, watch, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { type Cosigning, createCosigning } from '../../../cosigning/create-cosigning.js'
import { feature, type CoreParts } from '../../../engine/core-parts.js'
import { invalidArgument, toChainError, type ChainError } from '../../../errors/chain-error.js'
import type { CosignerState, CosigningKeys, FromPskbOptions, Proposal } from '../../../operations/cosigning/records.js'
import type { PendingTx } from '../../../operations/transactions/records.js'
import type { CosigningAccount } from '../../../streams/accounts/cosigning-account.js'
import { useCore } from '../plugin/core.js'
import { joinEngine } from '../../../engine/engine.js'

/** With what creates accounts, whose payments `propose` takes: one for all components of an app. */
export interface UseCosigningReturn extends Pick<Cosigning, 'accountOf' | 'accountFromDescriptor'> {
  /** The verified payment; null until one is opened, and after a change of the account. */
  readonly proposal: ComputedRef<Proposal | null>
  /** The cosigners, and what each has signed. */
  readonly signers: ComputedRef<readonly CosignerState[]>
  /** Whether there are enough signatures to submit it. */
  readonly isComplete: ComputedRef<boolean>
  /** Why the last call failed; null while one runs, and after one that did not. */
  readonly error: ComputedRef<ChainError | null>
  /**
   * Verifies a text for the account. Of the payment that is open already, its signatures are added. Rejects as
   * `fromPskb` of `createCosigning` does.
   */
  readonly open: (text: string, options?: FromPskbOptions) => Promise<Proposal>
  /**
   * Opens payments that `transactions.create({ account })` has planned for an account that was created here;
   * `proposal.toPskb()` is the text for the others. Rejects as `open` does.
   */
  readonly propose: (payments: readonly PendingTx[], options?: FromPskbOptions) => Promise<Proposal>
  /** Signs the open payment. The keys are not kept. Rejects as `Proposal.signAsync` does. */
  readonly sign: (keys: CosigningKeys) => Promise<Proposal>
  /** Finalises and submits the open payment; resolves to its ids. Rejects as `finalize` and `PendingTx.submit` do. */
  readonly submit: () => Promise<readonly string[]>
}

/** A payment that several signers of an account sign; the account may change, and be null for none yet. */
export function useCosigning(account: MaybeRefOrGetter<CosigningAccount | null | undefined>): UseCosigningReturn {
  const cosigning = feature(useCore('useCosigning'), appCosigning)
  const [proposal, error] = [shallowRef<Proposal | null>(null), shallowRef<ChainError | null>(null)]
  watch(
    () => toValue(account),
    () => (proposal.value = error.value = null),
    { flush: 'sync' },
  )

  const record = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    error.value = null
    return run().catch((cause: unknown) => {
      throw (error.value = toChainError(cause, 'The payment of several signers failed'))
    })
  }
  /** The result of work that may outlive the account. */
  const keep = async (run: () => Promise<Proposal>, join = joinProposals): Promise<Proposal> => {
    const used = toValue(account)
    const next = await run()
    if (toValue(account) !== used) return next
    return (proposal.value = join(proposal.value, next))
  }
  const required = <Value>(value: Value | null | undefined, argument: string, message: string): Value => {
    if (value === null || value === undefined) throw invalidArgument(argument, message)
    return value
  }
  const opened = (): Proposal => required(proposal.value, 'proposal', 'No payment is open: call open() first')
  const open = (toText: () => string, options: FromPskbOptions = {}): Promise<Proposal> =>
    record(async () =>
      keep(async () => {
        const known = required(toValue(account), 'account', 'There is no account yet')
        return cosigning.fromPskb(toText(), { ...options, account: known })
      }),
    )
  return {
    accountOf: (options) => cosigning.accountOf(options),
    accountFromDescriptor: (descriptor, options) => cosigning.accountFromDescriptor(descriptor, options),
    proposal: computed(() => proposal.value),
    signers: computed(() => proposal.value?.signers ?? []),
    isComplete: computed(() => proposal.value?.isComplete ?? false),
    error: computed(() => error.value),
    open: (text, options) => open(() => text, options),
    propose: (payments, options) => open(() => cosigning.toPskb(payments), options),
    sign: (keys) =>
      record(async () => {
        const from = opened()
        return keep(
          () => from.signAsync(keys),
          (open, signed) => joinSigned(open, from, signed),
        )
      }),
    submit: () => record(async () => submitInOrder(opened())),
  }
}

/** What several signers of an app share: one for all of its components. */
const appCosigning = (core: CoreParts): Cosigning => createCosigning({ engine: feature(core, joinEngine) })

/** Finalises a payment, and submits its transactions, of which later ones spend earlier ones. */
async function submitInOrder(proposal: Proposal): Promise<readonly string[]> {
  const ids: string[] = []
  for (const payment of await proposal.finalize()) ids.push(await payment.submit())
  return ids
}

/** Whether two proposals have the same transactions. */
function isSamePayment(one: Proposal, other: Proposal): boolean {
  const ids = ({ review }: Proposal): string => review.transactions.map(({ id }) => id).join()
  return ids(one) === ids(other)
}

/** The next proposal, with the signatures of the one before where it is the same payment. */
function joinProposals(before: Proposal | null, next: Proposal): Proposal {
  if (before === null || before === next || !isSamePayment(before, next)) return next
  const joined = next.combine(before)
  before.release() // the next one has reserved the inputs itself
  return joined
}

/**
 * The open proposal once `from` was signed, which has one reservation of the inputs with `signed`: a proposal of the
 * same payment that was opened meanwhile has its own.
 */
function joinSigned(open: Proposal | null, from: Proposal, signed: Proposal): Proposal {
  if (open === null || open === from || !isSamePayment(open, signed)) return signed
  return open.combine(signed)
}
