import { partiallySubmitted, type SubmissionProgress } from '../../../errors/payment-errors.js'
import type { AbortOptions } from '../../../errors/abort-options.js'
import { withPayments } from '../../../errors/with-outcome.js'
import type { PendingTx } from '../records.js'
import { isAborted } from './throw-if-aborted.js'

/**
 * Submits the transactions of a plan in order and resolves to their ids. A plan of one, or one aborted before anything
 * was sent, rejects as `submit` does; a longer one rejects with a `PartiallySubmittedError`, which lists what was
 * submitted and resumes from there. An error with an unknown outcome has the `payments`. `signal` is checked before
 * each transaction; `resume()` takes its own.
 */
export async function submitAll(
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
