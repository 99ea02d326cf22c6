import { defer, from, map, switchMap, type Observable } from 'rxjs'
import { after } from '../after.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Wallet, WalletAccount, WalletInfo } from '../port.js'
import { hasMethods, invoke, type Provider } from '../provider.js'
import { toSignature, toTransactionId, toTransactionJson } from '../reading/answer.js'
import { readBalance } from '../reading/balance.js'
import { sendByNumber } from '../send-by-number.js'
import type { Surroundings } from '../surroundings.js'
import { withinSight } from '../within-sight.js'
import { checkedIn$ } from './check-in.js'
import { hints$ } from './hints.js'
import { look } from './look.js'
import { SWITCHABLE, toName } from './network-names.js'
import { read } from './read.js'
import { requestAccount$ } from './request-account.js'
import { createShownAccounts, type ShownAccounts } from './shown-accounts.js'

export const WALLET_A: WalletInfo = { id: 'walletA', name: 'KasWare', icon: null, rdns: null }

/** Whether an object is KasWare, or one of the wallets that speak as it does. */
export const isWalletA = (provider: Provider): boolean => hasMethods(provider, 'requestAccounts')

/**
 * KasWare. Its promises may never settle (a hidden page, a window that another has replaced, an updated extension): reads
 * are bounded here, questions to the user by whoever asks one at a time.
 */
export const createWalletA = (provider: Provider, surroundings: Surroundings): Wallet =>
  createWalletLikeA(provider, surroundings, WALLET_A, checkedIn$(surroundings))

/** A wallet that speaks as KasWare does; `ready$` emits when it can be asked. */
export function createWalletLikeA(
  provider: Provider,
  surroundings: Surroundings,
  info: WalletInfo,
  ready$: Observable<unknown>,
): Wallet {
  const shown = createShownAccounts(provider)
  return {
    info,
    networks: SWITCHABLE,
    hints$: hints$(provider, shown, surroundings),
    connect: () => after(ready$, () => connect$(provider, shown, surroundings)),
    look: () => after(ready$, () => look(provider, shown, surroundings)),
    balance: async () =>
      readBalance(await withinSight(surroundings, 'connect', () => invoke(provider, 'connect', 'getBalance'))),
    disconnect: async () => {
      shown.note([])
      await invoke(provider, 'disconnect', 'disconnect', surroundings.page.location.origin) // without the origin it keeps the permission
    },
    send: async (payment) => toTransactionId(await sendByNumber(provider, payment)),
    signMessage: async (message) =>
      toSignature(await invoke(provider, 'signMessage', 'signMessage', message, { type: 'schnorr' })),
    signPskt: async ({ txJson, signInputs }) =>
      toTransactionJson(
        await invoke(provider, 'signPskt', 'signPskt', { txJsonString: txJson, options: { signInputs } }),
      ),
    switchNetwork: (network) => switchNetwork$(provider, network, surroundings),
  }
}

/** The address is the one that the user agreed to, also where the wallet then shows less than that. */
const connect$ = (provider: Provider, shown: ShownAccounts, surroundings: Surroundings): Observable<WalletAccount> =>
  requestAccount$(provider, surroundings).pipe(
    switchMap((address) => {
      shown.note([address])
      return from(look(provider, shown, surroundings)).pipe(
        map((glimpse) => (glimpse.status === 'open' ? glimpse.account : { address, publicKey: null, network: null })),
      )
    }),
  )

/** In the wallet's own spelling, which it is asked for first. */
const switchNetwork$ = (provider: Provider, network: ChainNetwork, surroundings: Surroundings): Observable<void> =>
  defer(() => withinSight(surroundings, 'switchNetwork', () => read(provider, 'switchNetwork', 'getNetwork'))).pipe(
    switchMap((own) => invoke(provider, 'switchNetwork', 'switchNetwork', toName(network, own))),
    map(() => undefined),
  )
