import { firstValueFrom, type Observable } from 'rxjs'
import { unreadable } from '../failure.js'
import { noAccount } from '../no-account.js'
import type { Wallet, WalletAccount, WalletInfo } from '../port.js'
import { hasMethods, invoke, type Provider } from '../provider.js'
import { toSignature } from '../reading/answer.js'
import type { Surroundings } from '../surroundings.js'
import { hints$ } from './hints.js'
import { look } from './look.js'
import { pay } from './pay.js'
import { relayUp$ } from './relay.js'
import { signTransaction } from './sign-transaction.js'

export const WALLET_B: WalletInfo = { id: 'walletB', name: 'Kastle', icon: null, rdns: null }

/** Whether an object is Kastle. */
export const isWalletB = (provider: Provider): boolean => hasMethods(provider, 'connect', 'getAccount')

/** Kastle. It tells no balance by contract, and knows no way to take a permission back. */
export function createWalletB(provider: Provider, surroundings: Surroundings, said$: Observable<unknown>): Wallet {
  const ready$ = relayUp$(provider, surroundings, said$)
  const onceUp = async <T>(work: () => Promise<T>): Promise<T> => {
    await firstValueFrom(ready$)
    return work()
  }
  return {
    info: WALLET_B,
    networks: ['mainnet', 'testnet-10'],
    hints$: hints$(provider, surroundings),
    connect: () => onceUp(() => connect(provider, surroundings)),
    look: () => onceUp(() => look(provider, surroundings)),
    disconnect: async () => {
      if (hasMethods(provider, 'disconnect')) await invoke(provider, 'disconnect', 'disconnect') // without effect so far
    },
    send: (payment) => pay(provider, payment, surroundings),
    signMessage: async (message) => toSignature(await invoke(provider, 'signMessage', 'signMessage', message)),
    signPskt: (request, account) => signTransaction(provider, request, account),
    switchNetwork: async (network) => {
      await invoke(provider, 'switchNetwork', 'switchNetwork', network)
    },
  }
}

/** Approval says nothing but yes; the account is read after it. */
async function connect(provider: Provider, surroundings: Surroundings): Promise<WalletAccount> {
  const answer = await invoke(provider, 'connect', 'connect')
  if (!answer) throw unreadable('connect', answer)
  const glimpse = await look(provider, surroundings)
  if (glimpse.status !== 'open') throw noAccount()
  return glimpse.account
}
