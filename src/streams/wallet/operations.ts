import {
  catchError,
  defer,
  finalize,
  map,
  of,
  switchMap,
  tap,
  type Observable,
  type SchedulerLike,
  concatMap,
  filter,
  from,
  take,
  throwIfEmpty,
  timer,
} from 'rxjs'
import type { SignMessageResult } from '../../model/keys.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Wallet, WalletAccount, WalletResult, WalletSignPsktOptions } from '../../wallets/port.js'
import { promptConnected$, type WalletMachine } from './prompt.js'
import { checkAccount, read$ } from './read.js'
import { checkMessage, checkPskb, checkRequest, checkSignRequest } from './check-arguments.js'
import { checkPayment, type PaymentRequest } from './check-payment.js'
import { checkSigned } from './check-signed.js'
import type { InterruptedPayments } from './interrupted.js'
import {
  cannotSendMany,
  cannotSignPskb,
  contradictory,
  switched,
  unsupportedNetwork,
  accountChanged,
  notSwitched,
} from './prompt-errors.js'
import { ChainWalletError } from '../../errors/wallet-error.js'
import type { Reading } from './phases.js'

/**
 * Operations of a connected wallet. Arguments are validated first; each applies to the account connected at the call.
 */

/** What follows a payment request. */
interface PaymentDeps {
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

/**
 * Signs a message as `account`, and returns the key to verify it. The user may choose another account in the prompt,
 * and wallets do not report which one signed: the wallet must still provide the same account afterwards.
 */
function signText$(wallet: Wallet, account: WalletAccount, message: string): Observable<SignMessageResult> {
  const { address, publicKey } = account
  if (publicKey === null) throw noPublicKey()
  return defer(() => wallet.signMessage(message, account)).pipe(
    switchMap((signature) =>
      defer(() => wallet.refresh()).pipe(
        map((after) => {
          if (after.status !== 'open' || after.account.address !== address) throw accountChanged('signMessage')
          return { message, signature, publicKeyHex: publicKey }
        }),
      ),
    ),
  )
}

const noPublicKey = (): ChainWalletError =>
  new ChainWalletError('signMessage', new Error('The wallet provides no public key for this account'), {
    code: 'unsupported',
    hint: 'Choose an account of a single key in the wallet: without its public key no signature can be verified.',
  })

/** Delays in ms between reads after a switch: a wallet's accounts follow with a delay. */
const READ_DELAYS: readonly number[] = /*#__PURE__*/ Array.from({ length: 11 }, (_, at) => (at === 0 ? 0 : 200))

/** Switches the network; emits the first reading of that network. Errors if there is none. */
const switchTo$ = (wallet: Wallet, network: ChainNetwork, scheduler: SchedulerLike): Observable<Reading> =>
  defer(() => wallet.switchNetwork(network)).pipe(
    switchMap(() => from(READ_DELAYS)),
    concatMap((delay) => timer(delay, scheduler)),
    concatMap(() => read$(wallet, scheduler).pipe(take(1))),
    tap((reading) => {
      if (reading.status === 'wrong-network') throw contradictory('switchNetwork') // for longer than a read retries
    }),
    filter((reading) => reading.status === 'open' && reading.account.network === network),
    take(1),
    throwIfEmpty(() => notSwitched(network)),
  )
