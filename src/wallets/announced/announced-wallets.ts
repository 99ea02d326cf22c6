import { map, of, tap, type Observable, catchError, defer, merge, switchMap, throwError } from 'rxjs'
import type { Wallet, WalletAccount, WalletSnapshot, WalletHint, WalletPayment } from '../port.js'
import { hasMethods, walletEvent$, invoke, type Provider } from '../provider.js'
import type { WalletEnvironment } from '../environment.js'
import { createKaswareCompatibleWallet, isWalletA } from '../wallet-a/wallet-a.js'
import { announcements$, type Announcement } from './announcements.js'
import { AVAILABLE_NETWORKS } from '../../model/network.js'
import {
  requireAccount,
  readSnapshot,
  firstAccount,
  keyOfAddress,
  toPskb,
  toSignature,
  toTransactionId,
  toTransactionJson,
} from '../read-snapshot.js'
import { isNodeUnreachable } from '../to-wallet-error.js'

/** The announced wallets of a supported kind. Each is created once while it is announced. */
export function announcedWallets$(environment: WalletEnvironment): Observable<readonly Wallet[]> {
  const wallets = new Map<string, Wallet | null>()
  const toWallet = (announcement: Announcement): Wallet | null => {
    const { id } = announcement.info
    if (!wallets.has(id)) wallets.set(id, create(announcement, environment))
    return wallets.get(id) ?? null
  }
  return announcements$(environment).pipe(
    tap((announcements) => forgetEvicted(wallets, announcements)),
    map((announcements) => announcements.map(toWallet).filter((wallet) => wallet !== null)),
  )
}

/** Bounds the wallets by the announcements. */
function forgetEvicted(wallets: Map<string, Wallet | null>, announcements: readonly Announcement[]): void {
  const ids = new Set(announcements.map(({ info }) => info.id))
  for (const id of wallets.keys()) if (!ids.has(id)) wallets.delete(id)
}

/** Detects the kind by the provider's methods, because the drafts share event names. Null if unsupported. */
function create(announcement: Announcement, environment: WalletEnvironment): Wallet | null {
  const { info, provider } = announcement
  if (isWalletA(provider)) return createKaswareCompatibleWallet(provider, environment, info, of(undefined))
  return hasMethods(provider, 'request') ? createAnnouncedWallet(announcement, environment) : null
}

/**
 * A wallet of the draft KCC-12: `request({ method, params })`, amounts as decimal strings, no public key, no balance.
 * Methods that the wallet does not implement reject as `unsupported`.
 */
function createAnnouncedWallet({ info, provider, methods }: Announcement, environment: WalletEnvironment): Wallet {
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
