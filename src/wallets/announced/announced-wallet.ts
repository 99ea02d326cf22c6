import { catchError, defer, map, merge, of, switchMap, throwError, type Observable } from 'rxjs'
import { AVAILABLE_NETWORKS } from '../../model/network.js'
import { agreed } from '../agreed.js'
import { walletEvent$ } from '../emitter.js'
import { hasLostNode } from '../failure.js'
import { lookBy } from '../look-by.js'
import type { Wallet, WalletAccount, WalletGlimpse, WalletHint, WalletPayment } from '../port.js'
import type { Provider } from '../provider.js'
import { firstAccount } from '../reading/accounts.js'
import { toSignature, toTransactionId, toTransactionJson } from '../reading/answer.js'
import { keyOfAddress } from '../reading/key-of-address.js'
import type { Surroundings } from '../surroundings.js'
import type { Announcement } from './announcements.js'
import { request } from './request.js'

/**
 * A wallet that announced itself and speaks as the draft KCC-12 has it: `request({ method, params })`, amounts as decimal
 * texts, no public key beside the address, no balance. What it has not made yet it refuses as `unsupported`.
 */
export function createAnnouncedWallet({ info, provider }: Announcement, surroundings: Surroundings): Wallet {
  const look = (): Promise<WalletGlimpse> => lookBy(() => glance(provider), surroundings)
  return {
    info,
    networks: AVAILABLE_NETWORKS,
    hints$: hints$(provider),
    look,
    connect: () => connect$(provider, look),
    disconnect: async () => {
      await request(provider, 'disconnect', 'wallet_revokePermissions', { kaspa_accounts: {} })
    },
    send: (payment, account) => pay(provider, payment, account),
    signMessage: async (message, { address }) =>
      toSignature(await request(provider, 'signMessage', 'kaspa_signMessage', message, address)),
    signPskt: async ({ txJson, signInputs }) =>
      toTransactionJson(
        await request(provider, 'signPskt', 'kaspa_signTransaction', { transaction: txJson, signInputs }),
      ),
    switchNetwork: async (networkId) => {
      await request(provider, 'switchNetwork', 'wallet_switchNetwork', { networkId })
    },
  }
}

/**
 * The user is asked by a wallet that answers what needs no user: one of another draft may not, and would never answer. Without
 * its node a wallet can still ask.
 */
const connect$ = (provider: Provider, look: () => Promise<WalletGlimpse>): Observable<WalletAccount> =>
  defer(look).pipe(
    catchError((error: unknown) =>
      hasLostNode(error) ? of<WalletGlimpse>({ status: 'gone' }) : throwError(() => error),
    ),
    switchMap((before) =>
      before.status === 'open'
        ? of(before)
        : defer(() => request(provider, 'connect', 'kaspa_requestAccounts')).pipe(switchMap(look)),
    ),
    map(agreed),
  )

async function glance(provider: Provider): Promise<WalletGlimpse> {
  const ask = (method: string) => request(provider, 'connect', method)
  const [accounts, network] = await Promise.all([ask('kaspa_accounts'), ask('kaspa_networkId')])
  const address = firstAccount(accounts)
  if (address === null) return { status: 'gone' } // locked or not permitted: it does not say which
  const publicKey = keyOfAddress(address)
  return { status: 'open', account: { address, publicKey, network: typeof network === 'string' ? network : null } }
}

const hints$ = (provider: Provider): Observable<WalletHint> =>
  merge(
    walletEvent$(provider, 'accountsChanged').pipe(
      map((accounts): WalletHint => (firstAccount(accounts) === null ? 'withdrawn' : 'changed')),
    ),
    merge(
      walletEvent$(provider, 'networkChanged'),
      walletEvent$(provider, 'connect'), // to its node, as it is that 'disconnect' tells the loss of: no account goes with it
    ).pipe(map((): WalletHint => 'changed')),
  )

async function pay(provider: Provider, payment: WalletPayment, { address }: WalletAccount): Promise<string> {
  const { to, amount, priorityFee, payload } = payment
  const plain = { from: address, outputs: [{ address: to, amount: String(amount) }], priorityFee: String(priorityFee) }
  const transaction = payload === '' ? plain : { ...plain, payload }
  return toTransactionId(await request(provider, 'sendKaspa', 'kaspa_sendTransaction', transaction))
}
