import { insufficientFunds, isInsufficientFunds } from '../../errors/payment-errors.js'
import type { Plan } from './created-plan.js'
import type { PaymentClaims } from './dependencies.js'
import type { TransactionSummary } from './records.js'

/** How often a payment is planned where other tabs are faster. */
const MAX_PLANS = 5

/** A plan with its totals. */
export interface Planned {
  readonly plan: Plan
  readonly summary: TransactionSummary
}

/**
 * Plans a payment, reserves its UTXOs in the same task, and claims them in all tabs. Where another tab has claimed one,
 * plans again without what that tab has. Rejects as `plan` throws, and with `insufficient-funds` where other tabs are
 * always faster.
 */
export async function planClaimed(plan: () => Planned, claims: PaymentClaims | undefined): Promise<Planned> {
  const reserve = (): Planned => {
    const planned = plan()
    for (const { hold } of planned.plan.transactions) hold()
    return planned
  }
  for (let count = 1; ; count++) {
    const planned = await planRefreshed(reserve, claims)
    if (claims === undefined || (await claims.claim(planned.plan.claimed, 'planned')) === 'claimed') return planned
    for (const { release } of planned.plan.transactions) release()
    if (count === MAX_PLANS) throw outrun(planned)
  }
}

/** Where UTXOs are missing, those of tabs that have ended may be free. */
export async function planRefreshed<T>(plan: () => T, claims: PaymentClaims | undefined): Promise<T> {
  try {
    return plan()
  } catch (error) {
    if (claims === undefined || !isInsufficientFunds(error) || error.reserved === 0n) throw error
    await claims.refresh()
    return plan()
  }
}

function outrun({ plan: { transactions }, summary: { fees, finalAmount = 0n } }: Planned) {
  const ids = new Set(transactions.map(({ built }) => built.id))
  const spent = transactions.flatMap(({ built }) => built.spent)
  const reserved = spent
    .filter(({ outpoint }) => !ids.has(outpoint.transactionId))
    .reduce((sum, { amount }) => sum + amount, 0n)
  const none = { spendable: 0n, immature: 0n, dust: 0n, bound: 0n, invalid: 0n, device: 0n, script: 0n }
  return insufficientFunds(
    'Other tabs have reserved the UTXOs of this payment',
    { ...none, reserved, reservedBy: [], required: finalAmount + fees },
    'Nothing was sent. Wait until the payments of the other tabs are accepted.',
  )
}
