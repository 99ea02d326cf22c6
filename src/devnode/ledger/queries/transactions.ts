import { give, refuse } from '../answer.js'
import { admit } from '../mempool/admission.js'
import type { Queries } from './scope.js'

/** Taking transactions in. */
export const transactionQueries: Queries<'submitTransaction' | 'submitTransactionReplacement'> = {
  submitTransaction: ({ network, rpcMode }, { transaction, allowOrphan }) => {
    const missingCoin = allowOrphan && rpcMode === 'unsafe' ? 'keep as orphan' : 'refuse'
    const admission = admit(network, transaction, { rival: 'refuse', missingCoin })
    return admission.kind === 'refused' ? refuse(admission.message) : give({ transactionId: admission.id })
  },

  submitTransactionReplacement: ({ network }, { transaction }) => {
    const admission = admit(network, transaction, { rival: 'replace', missingCoin: 'refuse' })
    if (admission.kind === 'refused') return refuse(admission.message)
    const replaced = admission.kind === 'admitted' ? admission.replaced : undefined
    if (replaced === undefined) throw new RangeError('A replacement that was taken in has replaced a transaction')
    return give({ transactionId: admission.id, replacedTransaction: replaced.transaction })
  },
}
