import type { SchedulerLike } from 'rxjs'
import { askConnected, type WalletMachine } from './ask.js'
import { checkMessage } from './check-message.js'
import { checkPayment } from './check-payment.js'
import { checkSignRequest } from './check-sign-request.js'
import { unsupportedNetwork } from './prompt-errors.js'
import { signText } from './sign-text.js'
import { switchTo } from './switch-to.js'
import type { WalletSession } from './wallet-session.js'

export interface OperationDeps {
  readonly machine: WalletMachine
  readonly scheduler: SchedulerLike
  /** Told after each payment, whatever became of it. */
  readonly paid: () => void
}

/** What a connected wallet is asked to do: each is checked before, and bears on the account of that moment. */
export type ConnectedOperations = Pick<WalletSession, 'sendKaspa' | 'signMessage' | 'signPskt' | 'switchNetwork'>

export function createOperations({ machine, scheduler, paid }: OperationDeps): ConnectedOperations {
  return {
    sendKaspa: (to, amount, options) =>
      askConnected(machine, 'sendKaspa', ({ session: { wallet }, account }) => {
        const payment = checkPayment(account.address, to, amount, options)
        return () => wallet.send(payment, account).finally(paid)
      }),

    signMessage: (message) =>
      askConnected(machine, 'signMessage', ({ session: { wallet }, account }) => {
        const text = checkMessage(message)
        return () => signText(wallet, account, text)
      }),

    signPskt: (txJson, options) =>
      askConnected(machine, 'signPskt', ({ session: { wallet }, account }) => {
        const request = checkSignRequest(txJson, options)
        return () => wallet.signPskt(request, account)
      }),

    switchNetwork: (network) =>
      askConnected(machine, 'switchNetwork', ({ session, account }) => {
        if (account.network === network) return () => Promise.resolve()
        const { networks } = session.wallet
        if (!networks.includes(network)) throw unsupportedNetwork('switchNetwork', network, networks)
        return async () => {
          const reading = await switchTo(session.wallet, network, scheduler)
          machine.dispatch({ type: 'looked', session, reading })
        }
      }),
  }
}
