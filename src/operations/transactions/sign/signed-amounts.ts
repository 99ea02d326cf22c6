import { cryptoError } from '../../keys/crypto-failure.js'
import type { BuiltTransaction } from '../build.js'

/** The input amounts of signed transactions, by transaction id. */
export interface SignedAmounts {
  /**
   * Records a transaction. Throws `ChainCryptoError` (`amount-conflict`) where its id was signed with other input amounts:
   * signatures commit to amounts, ids do not, and signatures of two versions could be combined to burn the difference.
   */
  readonly record: (transaction: BuiltTransaction) => void
}

/** How many transactions are remembered, newest first: some 20 MB. */
const CAPACITY = 100_000

export function createSignedAmounts(capacity = CAPACITY): SignedAmounts {
  const amountsById = new Map<string, string>()
  return {
    record({ id, spent }) {
      const amounts = spent.map(({ amount }) => amount).join()
      const known = amountsById.get(id)
      if (known !== undefined && known !== amounts) throw amountConflict(id)
      amountsById.delete(id) // so that it becomes the newest
      amountsById.set(id, amounts)
      const [oldest] = amountsById.keys()
      if (amountsById.size > capacity && oldest !== undefined) amountsById.delete(oldest)
    },
  }
}

const amountConflict = (id: string): Error =>
  cryptoError('sign', {
    code: 'amount-conflict',
    argument: 'entries',
    reason: `The transaction ${id} was signed before with other input amounts`,
    hint: 'A node reported a wrong amount: read the entries again from another node.',
  })
