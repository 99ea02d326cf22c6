import { toAddress } from '../../model/address.js'
import { spendingOf, type SpendingAccount } from '../../model/cosigning/spending-account.js'
import { NETWORKS } from '../../model/network.js'
import { toTransaction } from '../../model/serialized-transaction.js'
import type { PendingTx } from '../transactions/records.js'

/** The change addresses of payments that were written as proposals, which no other payment gets. */
export interface TakenChange {
  /** Takes the change addresses of the own branch of an account. */
  readonly take: (payments: readonly PendingTx[], accounts: readonly SpendingAccount[]) => void
  /** Keeps those of payments that somebody has signed, for ever. */
  readonly keep: (ids: readonly string[]) => void
  /** Gives back those of payments that are dropped, unless they are kept. */
  readonly giveBack: (ids: readonly string[]) => void
}

export function createTakenChange(): TakenChange {
  const releases = new Map<string, readonly (() => void)[]>()
  return {
    take: (payments, accounts) => {
      for (const payment of payments)
        if (!releases.has(payment.id))
          releases.set(
            payment.id,
            accounts.flatMap((account) => takeOf(payment, account)),
          )
    },
    keep: (ids) => ids.forEach((id) => releases.set(id, [])),
    giveBack: (ids) => {
      for (const id of ids) {
        const taken = releases.get(id) ?? []
        for (const release of taken) release()
        if (taken.length > 0) releases.delete(id)
      }
    },
  }
}

function takeOf(payment: PendingTx, account: SpendingAccount): readonly (() => void)[] {
  const { value, pathOf, takeChange } = spendingOf(account)
  const prefix = NETWORKS[account.network].addressPrefix
  return toTransaction(payment.serialize()).outputs.flatMap(({ scriptPublicKey }) => {
    const path = pathOf(toAddress(scriptPublicKey, prefix) ?? '')
    return path?.change === true && path.cosigner === value.ownCosigner ? [takeChange(path)] : []
  })
}
