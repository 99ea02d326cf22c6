import { defer, map, switchMap, type Observable } from 'rxjs'
import { after } from '../after.js'
import { agreed } from '../agreed.js'
import { unreadable } from '../failure.js'
import type { Wallet, WalletAccount, WalletInfo } from '../port.js'
import { hasMethods, invoke, type Provider } from '../provider.js'
import { toSignature } from '../reading/answer.js'
import type { Surroundings } from '../surroundings.js'
import { hints$ } from './hints.js'
import { look } from './look.js'
import { pay$ } from './pay.js'
import { relayUp$ } from './relay.js'
import { signTransaction } from './sign-transaction.js'

export const WALLET_B: WalletInfo = { id: 'walletB', name: 'Kastle', icon: null, rdns: null }

/** Whether an object is Kastle. */
export const isWalletB = (provider: Provider): boolean => hasMethods(provider, 'connect', 'getAccount')

/** Kastle. It tells no balance by contract, and knows no way to take a permission back. */
export function createWalletB(provider: Provider, surroundings: Surroundings, said$: Observable<unknown>): Wallet {
  const ready$ = relayUp$(provider, surroundings, said$)
  return {
    info: WALLET_B,
    networks: ['mainnet', 'testnet-10'],
    hints$: hints$(provider, surroundings),
    connect: () => after(ready$, () => connect$(provider, surroundings)),
    look: () => after(ready$, () => look(provider, surroundings)),
    disconnect: async () => {
      if (hasMethods(provider, 'disconnect')) await invoke(provider, 'disconnect', 'disconnect') // without effect so far
    },
    send: (payment) => pay$(provider, payment, surroundings),
    signMessage: async (message) => toSignature(await invoke(provider, 'signMessage', 'signMessage', message)),
    signPskt: (request, account) => signTransaction(provider, request, account),
    switchNetwork: async (network) => {
      await invoke(provider, 'switchNetwork', 'switchNetwork', network)
    },
  }
}

/** Approval says nothing but yes; the account is read after it. */
const connect$ = (provider: Provider, surroundings: Surroundings): Observable<WalletAccount> =>
  defer(() => invoke(provider, 'connect', 'connect')).pipe(
    switchMap((answer) => {
      if (!answer) throw unreadable('connect', answer)
      return look(provider, surroundings)
    }),
    map(agreed),
  )
