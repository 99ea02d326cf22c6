import { defer, map, switchMap, type Observable } from 'rxjs'
import { refuseArgument } from '../../errors/wallet-refusal.js'
import type { WalletPayment } from '../port.js'
import { hasMethods, invoke, type Provider } from '../provider.js'
import { toTransactionId } from '../reading/result.js'
import { sendByNumber } from '../send-by-number.js'
import type { WalletEnvironment } from '../environment.js'
import { build } from './build.js'

/** Kastle's minimum payment, sompi: 0.2 KAS. */
const MINIMUM = 20_000_000n

/**
 * Pays through Kastle. Builds the transaction first if the version can, because `sendKaspa` does not reveal it. An
 * abort while building opens no window.
 */
export const pay$ = (provider: Provider, payment: WalletPayment, environment: WalletEnvironment): Observable<string> =>
  defer(() => {
    payment.outputs.forEach(({ amount }, at) =>
      checkMinimum(amount, payment.outputs.length > 1 ? `outputs[${at}].amount` : 'amount'),
    )
    // before 2.47.0
    return canBuild(provider) ? payBuilt$(provider, payment, environment) : sendByNumber(provider, payment)
  }).pipe(map(toTransactionId))

/** Since 2.47.0; such a payment can have several outputs. */
export const canBuild = (provider: Provider): boolean => hasMethods(provider, 'buildTransaction', 'signAndBroadcastTx')

function checkMinimum(amount: bigint, argument: string): void {
  if (amount >= MINIMUM) return
  const cause = new RangeError(`${amount} sompi is less than ${MINIMUM}, the minimum of this wallet`)
  throw refuseArgument('sendKaspa', argument, cause, `Pay ${MINIMUM} sompi or more.`)
}

const payBuilt$ = (provider: Provider, payment: WalletPayment, environment: WalletEnvironment): Observable<unknown> =>
  defer(() => build(provider, payment, environment)).pipe(
    switchMap(({ networkId, txJson }) => invoke(provider, 'sendKaspa', 'signAndBroadcastTx', networkId, txJson)),
  )
