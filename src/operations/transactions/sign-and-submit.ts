import { ChainError } from '../../errors/chain-error.js'
import { isPartiallySubmitted, partiallySubmitted, type SubmissionProgress } from '../../errors/payment-errors.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { nextTask } from '../../loading/steps.js'
import { collectInSlices } from '../../sdk/time-slices.js'
import type { Plan } from './created-plan.js'
import type { PaymentClaims } from './transaction-operations.js'
import type { SendOptions, PendingTx } from './records.js'
import type { KeysOrSigner } from './sign/sign-with-keys.js'
import { claimedElsewhere } from './submit/held-utxos.js'
import { throwIfAborted, isAborted } from './submit/before-submission.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import { withPayments } from '../../errors/with-outcome.js'

/**
 * Signs all transactions, then submits them in order. On failure the UTXOs of the unsent ones are released.
 * No reference to the keys remains when submission begins.
 */
export async function signAndSubmit(
  plan: Plan,
  keysOrSigner: KeysOrSigner,
  options: SendOptions,
  claims: PaymentClaims | undefined,
): Promise<readonly string[]> {
  const { transactions } = plan
  try {
    await nextTask() // planning has taken a part of this frame
    await sign(plan, keysOrSigner, options)
    await announce(plan, options, claims)
  } catch (error) {
    for (const { release } of transactions) release()
    throw error
  }
  try {
    return await submitAll(
      transactions.map(({ transaction }) => transaction),
      { signal: options.signal },
    )
  } catch (error) {
    // submit() releases its own reservation
    const attempted = isPartiallySubmitted(error) ? error.submitted.length + 1 : 1
    for (const { release } of transactions.slice(attempted)) release()
    throw error
  }
}

async function sign(
  { transactions, signing }: Plan,
  keysOrSigner: KeysOrSigner,
  { signal }: SendOptions,
): Promise<void> {
  for (const { requireSignable } of transactions) requireSignable()
  const scripts = await signing.signAsync(
    transactions.map(({ built }) => built),
    keysOrSigner,
    { transactions: () => serializeAll(transactions), signal },
  )
  let next = 0
  for (const { built, applyScripts } of transactions)
    await applyScripts(scripts.slice(next, (next += built.spent.length)))
}

/** Hands the signed transactions to the caller, with what a later process needs to look them up. */
async function announce(
  { transactions, lookupStart, claimed }: Plan,
  { onSigned, signal }: SendOptions,
  claims: PaymentClaims | undefined,
): Promise<void> {
  if (onSigned === undefined) return
  await lookupStart.fetch()
  // a stored payment outlives the tab
  if (claims !== undefined && (await claims.claim(claimed, 'sent')) !== 'claimed') throw claimedElsewhere()
  try {
    await onSigned(await serializeAll(transactions))
  } catch (cause) {
    throw notStored(cause)
  }
  throwIfAborted(signal)
}

/** In slices: a checksum over some hundred inputs takes milliseconds. */
const serializeAll = (transactions: Plan['transactions']): Promise<readonly SerializedTransaction[]> =>
  collectInSlices(serializeEach(transactions))

function* serializeEach(transactions: Plan['transactions']): Generator<SerializedTransaction> {
  for (const { transaction } of transactions) yield transaction.serialize()
}

const notStored = (cause: unknown): ChainError =>
  new ChainError('onSigned() rejected, so the payment was not sent', {
    code: 'failed',
    cause,
    argument: 'onSigned',
    hint: 'Nothing was sent, and its UTXOs are released: send it again.',
  })

/**
 * Submits the transactions of a plan in order and resolves to their ids. A plan of one, or one aborted before anything
 * was sent, rejects as `submit` does; a longer one rejects with a `PartiallySubmittedError`, which lists what was
 * submitted and resumes from there. An error with an unknown outcome has the `payments`. `signal` is checked before
 * each transaction; `resume()` takes its own.
 */
async function submitAll(
  transactions: readonly Pick<PendingTx, 'id' | 'submit' | 'serialize'>[],
  options: AbortOptions = {},
  alreadySubmitted: readonly string[] = [],
): Promise<readonly string[]> {
  try {
    return await submitInOrder(transactions, options, alreadySubmitted)
  } catch (error) {
    throw withPayments(error, () => transactions.map((transaction) => transaction.serialize()))
  }
}

async function submitInOrder(
  transactions: readonly Pick<PendingTx, 'id' | 'submit' | 'serialize'>[],
  options: AbortOptions,
  alreadySubmitted: readonly string[],
): Promise<readonly string[]> {
  const submitted = [...alreadySubmitted]
  for (const transaction of transactions.slice(submitted.length)) {
    try {
      submitted.push(await transaction.submit(options))
    } catch (cause) {
      if (transactions.length === 1 || (submitted.length === 0 && isAborted(cause))) throw cause
      const resume: SubmissionProgress['resume'] = (again) => submitAll(transactions, again, submitted)
      const unsubmitted = transactions.slice(submitted.length).map(({ id }) => id)
      throw partiallySubmitted(cause, { submitted, unsubmitted, resume })
    }
  }
  return submitted
}
