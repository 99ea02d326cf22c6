import { catchError, defer, map, merge, of, switchMap, throwError, type Observable } from 'rxjs'
import { AVAILABLE_NETWORKS } from '../../model/network.js'
import { requireAccount, readSnapshot } from '../read-snapshot.js'
import { walletEvent$ } from '../emitter.js'
import { isNodeUnreachable } from '../to-wallet-error.js'
import type { Wallet, WalletAccount, WalletSnapshot, WalletHint, WalletPayment } from '../port.js'
import { invoke, type Provider } from '../provider.js'
import { firstAccount, keyOfAddress } from '../reading/account.js'
import { toPskb, toSignature, toTransactionId, toTransactionJson } from '../reading/result.js'
import type { WalletEnvironment } from '../environment.js'
import type { Announcement } from './keep-announcements.js'

/**
 * A wallet of the draft KCC-12: `request({ method, params })`, amounts as decimal strings, no public key, no balance.
 * Methods that the wallet does not implement reject as `unsupported`.
 */
export function createAnnouncedWallet(
  { info, provider, methods }: Announcement,
  environment: WalletEnvironment,
): Wallet {
  const refresh = (): Promise<WalletSnapshot> => readSnapshot(() => fetchSnapshot(provider), environment)
  return {
    info,
    networks: AVAILABLE_NETWORKS,
    hints$: hints$(provider),
    refresh,
    connect: () => connect$(provider, refresh),
    disconnect: async () => {
      await request(provider, 'disconnect', 'wallet_revokePermissions', { kaspa_accounts: {} })
    },
    canSendMany: true,
    covered: COVERED,
    request: (method, params) =>
      params === undefined
        ? invoke(provider, 'request', 'request', { method })
        : invoke(provider, 'request', 'request', { method, params }),
    send: (payment, account) => pay(provider, payment, account),
    signMessage: async (message, { address }) =>
      toSignature(await request(provider, 'signMessage', 'kaspa_signMessage', message, address)),
    signPskt: async ({ txJson, signInputs }) =>
      toTransactionJson(
        await request(provider, 'signPskt', 'kaspa_signTransaction', { transaction: txJson, signInputs }),
      ),
    signPskb:
      methods?.includes(SIGN_PSKB) === false
        ? undefined
        : async (text) => toPskb(await request(provider, 'signPskb', SIGN_PSKB, text)),
    switchNetwork: async (networkId) => {
      await request(provider, 'switchNetwork', 'wallet_switchNetwork', { networkId })
    },
  }
}

const SIGN_PSKB = 'kaspa_signPskb'

const COVERED = {
  kaspa_requestAccounts: 'connect',
  wallet_requestPermissions: 'connect',
  kaspa_accounts: 'address',
  kaspa_networkId: 'network',
  wallet_revokePermissions: 'disconnect',
  wallet_switchNetwork: 'switchNetwork',
  kaspa_sendTransaction: 'sendMany',
  kaspa_signMessage: 'signMessage',
  kaspa_signTransaction: 'signPskt',
  [SIGN_PSKB]: 'signPskb',
}

/**
 * Reads the wallet before it prompts: a wallet of another draft never responds, and fails here with `timeout`. An
 * unreachable node does not prevent the prompt.
 */
const connect$ = (provider: Provider, refresh: () => Promise<WalletSnapshot>): Observable<WalletAccount> =>
  defer(refresh).pipe(
    catchError((error: unknown) =>
      isNodeUnreachable(error) ? of<WalletSnapshot>({ status: 'disconnected-by-wallet' }) : throwError(() => error),
    ),
    switchMap((before) =>
      before.status === 'open'
        ? of(before)
        : defer(() => request(provider, 'connect', 'kaspa_requestAccounts')).pipe(switchMap(refresh)),
    ),
    map(requireAccount),
  )

async function fetchSnapshot(provider: Provider): Promise<WalletSnapshot> {
  const call = (method: string) => request(provider, 'connect', method)
  const [accounts, network] = await Promise.all([call('kaspa_accounts'), call('kaspa_networkId')])
  const address = firstAccount(accounts)
  // locked or not permitted; KCC-12 does not distinguish them
  if (address === null) return { status: 'disconnected-by-wallet' }
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
      // the wallet's connection to its node; `disconnect` reports its loss and does not affect the account
      walletEvent$(provider, 'connect'),
    ).pipe(map((): WalletHint => 'changed')),
  )

async function pay(provider: Provider, payment: WalletPayment, { address }: WalletAccount): Promise<string> {
  const { priorityFee, payload } = payment
  const outputs = payment.outputs.map((output) => ({ address: output.address, amount: String(output.amount) }))
  const plain = { from: address, outputs, priorityFee: String(priorityFee) }
  const transaction = payload === '' ? plain : { ...plain, payload }
  return toTransactionId(await request(provider, 'sendKaspa', 'kaspa_sendTransaction', transaction))
}

/** Calls a method of an announced wallet. A single record is sent as the only list item. */
const request = (
  provider: Provider,
  operation: string,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> => invoke(provider, operation, 'request', { method, params })
