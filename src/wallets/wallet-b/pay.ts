import { defer, map, switchMap, type Observable } from 'rxjs'
import { refuseArgument } from '../../errors/wallet-refusal.js'
import type { WalletPayment } from '../port.js'
import { hasMethods, invoke, type Provider } from '../provider.js'
import { toTransactionId } from '../reading/answer.js'
import { sendByNumber } from '../send-by-number.js'
import type { Surroundings } from '../surroundings.js'
import { build } from './build.js'

/** The least that Kastle pays, sompi: 0.2 KAS. */
const MINIMUM = 20_000_000n

/**
 * Pays through Kastle: by a transaction that it builds first, where it can, since that shows what `sendKaspa` hides. Given up
 * while it is built, it is not shown to the user.
 */
export const pay$ = (provider: Provider, payment: WalletPayment, surroundings: Surroundings): Observable<string> =>
  defer(() => {
    checkMinimum(payment.amount)
    const canBuild = hasMethods(provider, 'buildTransaction', 'signAndBroadcastTx')
    return canBuild ? payBuilt$(provider, payment, surroundings) : sendByNumber(provider, payment) // before 2.47.0
  }).pipe(map(toTransactionId))

function checkMinimum(amount: bigint): void {
  if (amount >= MINIMUM) return
  const cause = new RangeError(`${amount} sompi is less than ${MINIMUM}, the least that this wallet pays`)
  throw refuseArgument('sendKaspa', 'amount', cause, `Pay ${MINIMUM} sompi or more.`)
}

const payBuilt$ = (provider: Provider, payment: WalletPayment, surroundings: Surroundings): Observable<unknown> =>
  defer(() => build(provider, payment, surroundings)).pipe(
    switchMap(({ networkId, txJson }) => invoke(provider, 'sendKaspa', 'signAndBroadcastTx', networkId, txJson)),
  )
