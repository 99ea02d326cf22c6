import { defer, finalize, map, of, tap, type Observable, type SchedulerLike } from 'rxjs'
import type { SignMessageResult } from '../../model/key.js'
import type { ChainNetwork } from '../../model/network.js'
import type { WalletSendOptions, WalletSignPsktOptions } from '../../wallets/port.js'
import { askConnected$, type WalletMachine } from './ask.js'
import { checkMessage } from './check-message.js'
import { checkPayment } from './check-payment.js'
import { checkSignRequest } from './check-sign-request.js'
import { unsupportedNetwork } from './prompt-errors.js'
import { signText$ } from './sign-text.js'
import { switchTo$ } from './switch-to.js'

/** What a connected wallet is asked to do: each is checked before, and bears on the account of that moment. */

/** `paid` is told after each payment that the wallet was asked for, whatever became of it. */
export const sendKaspa$ = (
  machine: WalletMachine,
  paid: () => void,
  ...[to, amount, options]: [to: string, amount: bigint, options?: WalletSendOptions]
): Observable<string> =>
  askConnected$(machine, 'sendKaspa', ({ session: { wallet }, account }) => {
    const payment = checkPayment(account.address, to, amount, options)
    return () => defer(() => wallet.send(payment, account)).pipe(finalize(paid))
  })

export const signMessage$ = (machine: WalletMachine, message: string): Observable<SignMessageResult> =>
  askConnected$(machine, 'signMessage', ({ session: { wallet }, account }) => {
    const text = checkMessage(message)
    return () => signText$(wallet, account, text)
  })

export const signPskt$ = (
  machine: WalletMachine,
  txJson: string,
  options?: WalletSignPsktOptions,
): Observable<string> =>
  askConnected$(machine, 'signPskt', ({ session: { wallet }, account }) => {
    const request = checkSignRequest(txJson, options)
    return () => wallet.signPskt(request, account)
  })

export const switchNetwork$ = (
  machine: WalletMachine,
  scheduler: SchedulerLike,
  network: ChainNetwork,
): Observable<void> =>
  askConnected$(machine, 'switchNetwork', ({ session, account }) => {
    const { wallet } = session
    if (account.network === network) return () => of(undefined)
    if (!wallet.networks.includes(network)) throw unsupportedNetwork('switchNetwork', network, wallet.networks)
    return () =>
      switchTo$(wallet, network, scheduler).pipe(
        tap((reading) => machine.dispatch({ type: 'looked', session, reading })),
        map(() => undefined),
      )
  })
