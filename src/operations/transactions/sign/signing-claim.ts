import type { BuiltTransaction } from '../build.js'
import type { ClaimedPlan, PaymentClaims } from '../dependencies.js'
import { claimedElsewhere } from '../submit/claimed-elsewhere.js'
import type { UtxoReservation } from '../submit/utxo-reservation.js'

export interface SigningClaimContext {
  /** What is not submitted yet. */
  readonly left: () => readonly (UtxoReservation & { readonly built: BuiltTransaction })[]
  readonly toClaimed: (transactions: readonly BuiltTransaction[]) => ClaimedPlan
  /** Ms for which it is reserved anyway before it is submitted. */
  readonly timeout: number
}

/** Signs while the UTXOs are claimed. Rejects as `sign` does, and with `ChainError` (`aborted`) before it. */
export type WhileClaimed = (sign: () => Promise<void>) => Promise<void>

/**
 * Reserves and claims all UTXOs of a plan in all tabs before a transaction of it is signed, since `create` reserves
 * nothing. They stay reserved for a minute, in which it is submitted; where it is not signed they are released.
 */
export const createSigningClaim =
  (claims: PaymentClaims, { left, toClaimed, timeout }: SigningClaimContext): WhileClaimed =>
  async (sign) => {
    const transactions = left()
    const end = (step: 'reserve' | 'release'): void => {
      for (const each of transactions) {
        if (timeout > 0) each.hold(timeout)
        else each[step]()
      }
    }
    for (const { hold } of transactions) hold()
    try {
      const claimed = toClaimed(transactions.map(({ built }) => built))
      if ((await claims.claim(claimed, 'planned')) !== 'claimed') throw claimedElsewhere()
      await sign()
    } catch (error) {
      end('release')
      throw error
    }
    end('reserve')
  }
