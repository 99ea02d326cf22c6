import { interrupted } from '../../../errors/interrupted.js'
import type { CallOptions } from '../../queries/call.js'
import type { PendingTx } from '../records.js'
import { isCalledOff } from './heed-signal.js'

/**
 * Submits the transactions of a plan in order and resolves to their ids. A plan of one rejects as its `submit` does, and so
 * does one that is called off before anything went out; else a longer one with an `InterruptedError` that tells what went
 * out, and can go on from there: what went out is not sent again. A signal is heeded before each one; `resume()` goes on
 * without it, or with another.
 */
export async function submitAll(
  transactions: readonly Pick<PendingTx, 'id' | 'submit'>[],
  options: CallOptions = {},
): Promise<readonly string[]> {
  const submitted: string[] = []
  for (const transaction of transactions) {
    try {
      submitted.push(await transaction.submit(options))
    } catch (cause) {
      if (transactions.length === 1 || (submitted.length === 0 && isCalledOff(cause))) throw cause
      const unsubmitted = transactions.slice(submitted.length).map(({ id }) => id)
      throw interrupted(cause, { submitted, unsubmitted, resume: (again) => submitAll(transactions, again) })
    }
  }
  return submitted
}
