import { catchError, defer, finalize, map, of, switchMap, tap, type Observable, type SchedulerLike } from 'rxjs'
import type { SignMessageResult } from '../../model/keys.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Wallet, WalletAccount, WalletResult, WalletSignPsktOptions } from '../../wallets/port.js'
import { promptConnected$, type WalletMachine } from './prompt.js'
import { checkAccount } from './read.js'
import { checkMessage, checkPskb, checkRequest } from './check-arguments.js'
import { checkPayment, type PaymentRequest } from './check-payment.js'
import { checkSignRequest } from './check-sign-request.js'
import { checkSigned } from './check-signed.js'
import type { InterruptedPayments } from './interrupted.js'
import { cannotSendMany, cannotSignPskb, contradictory, switched, unsupportedNetwork } from './prompt-errors.js'
import { signText$ } from './sign-text.js'
import { switchTo$ } from './switch-to.js'

/**
 * Operations of a connected wallet. Arguments are validated first; each applies to the account connected at the call.
 */

/** What follows a payment request. */
export interface PaymentDeps {
  readonly interrupted: InterruptedPayments
  /** Called after each request, whatever its result. */
  readonly paid: () => void
}

/** `sendKaspa` and `sendMany`. The payment is kept for the tab until its outcome is known. */
export const pay$ = (
  machine: WalletMachine,
  { interrupted, paid }: PaymentDeps,
  operation: PaymentRequest['operation'],
  toRequest: () => PaymentRequest,
): Observable<string> =>
  promptConnected$(machine, operation, ({ session: { wallet }, account }) => {
    if (operation === 'sendMany' && !wallet.canSendMany) throw cannotSendMany()
    const payment = checkPayment(account.address, toRequest())
    return () =>
      unlessChanged$(wallet, account, () => {
        const started = { wallet: wallet.info.id, from: account.address, outputs: payment.outputs }
        return interrupted.during(started, () => wallet.send(payment, account))
      }).pipe(finalize(paid))
  })

/**
 * Reads the wallet before a payment, without a window: the state can be older than a switch in the wallet, which would
 * pay from another account, or on another network. A failed read does not prevent the payment.
 */
const unlessChanged$ = <T>(
  wallet: Wallet,
  { address, network }: WalletAccount,
  pay: () => WalletResult<T>,
): Observable<T> =>
  defer(() => wallet.refresh()).pipe(
    catchError(() => of(null)),
    switchMap((snapshot) => {
      const read = snapshot?.status === 'open' ? checkAccount(wallet, snapshot.account) : null
      if (read === 'wrong-network') throw contradictory('sendKaspa')
      if (read !== null && (read.address !== address || read.network !== network)) throw switched('sendKaspa')
      return pay()
    }),
  )

/** Calls a method of the wallet itself, which may pay. */
export const request$ = (
  machine: WalletMachine,
  paid: () => void,
  method: string,
  params: unknown,
): Observable<unknown> =>
  promptConnected$(machine, 'request', ({ session: { wallet } }) => {
    checkRequest(wallet, method, params)
    return () => defer(() => wallet.request(method, params)).pipe(finalize(paid))
  })

export const signMessage$ = (machine: WalletMachine, message: string): Observable<SignMessageResult> =>
  promptConnected$(machine, 'signMessage', ({ session: { wallet }, account }) => {
    const text = checkMessage(message)
    return () => signText$(wallet, account, text)
  })

export const signPskt$ = (
  machine: WalletMachine,
  txJson: string,
  options?: WalletSignPsktOptions,
): Observable<string> =>
  promptConnected$(machine, 'signPskt', ({ session: { wallet }, account }) => {
    const request = checkSignRequest(txJson, options)
    return () => defer(() => wallet.signPskt(request, account)).pipe(map((signed) => checkSigned(request, signed)))
  })

/** The result has not been read: its signatures and transactions are verified by who combines it. */
export const signPskb$ = (machine: WalletMachine, text: string): Observable<string> =>
  promptConnected$(machine, 'signPskb', ({ session: { wallet }, account }) => {
    const { signPskb } = wallet
    if (signPskb === undefined) throw cannotSignPskb()
    const checked = checkPskb(text)
    return () => defer(() => signPskb(checked, account))
  })

export const switchNetwork$ = (
  machine: WalletMachine,
  scheduler: SchedulerLike,
  network: ChainNetwork,
): Observable<void> =>
  promptConnected$(machine, 'switchNetwork', ({ session, account }) => {
    const { wallet } = session
    if (account.network === network) return () => of(undefined)
    if (!wallet.networks.includes(network)) throw unsupportedNetwork('switchNetwork', network, wallet.networks)
    return () =>
      switchTo$(wallet, network, scheduler).pipe(
        tap((reading) => machine.dispatch({ type: 'refreshed', session, reading })),
        map(() => undefined),
      )
  })
