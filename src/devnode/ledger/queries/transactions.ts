import { succeed, fail } from '../result.js'
import { admit } from '../mempool/admission.js'
import type { Queries } from './scope.js'

export const transactionQueries: Queries<'submitTransaction' | 'submitTransactionReplacement'> = {
  submitTransaction: ({ network, rpcMode }, { transaction, allowOrphan }) => {
    const missingUtxo = allowOrphan && rpcMode === 'unsafe' ? 'keep-as-orphan' : 'reject'
    const admission = admit(network, transaction, { rbf: 'forbidden', missingUtxo })
    return admission.kind === 'rejected' ? fail(admission.message) : succeed({ transactionId: admission.id })
  },

  submitTransactionReplacement: ({ network }, { transaction }) => {
    const admission = admit(network, transaction, { rbf: 'required', missingUtxo: 'reject' })
    if (admission.kind === 'rejected') return fail(admission.message)
    const replaced = admission.kind === 'admitted' ? admission.replaced : undefined
    if (replaced === undefined) throw new RangeError('An admitted replacement has replaced a transaction')
    return succeed({ transactionId: admission.id, replacedTransaction: replaced.transaction })
  },
}
