import { filter, fromEvent, map, merge, type Observable } from 'rxjs'
import { readSnapshot } from '../read-snapshot.js'
import type { WalletSnapshot, WalletHint } from '../port.js'
import { invoke, isProvider, type Provider } from '../provider.js'
import { readPublicKey } from '../reading/account.js'
import type { WalletEnvironment } from '../environment.js'
import { walletEvent$ } from '../emitter.js'
import { fetchNetwork } from './relay.js'

/** What Kastle exposes to this site without a prompt, the same whether locked or not. */
export const refreshKastle = (provider: Provider, environment: WalletEnvironment): Promise<WalletSnapshot> =>
  readSnapshot(() => fetchSnapshot(provider), environment)

async function fetchSnapshot(provider: Provider): Promise<WalletSnapshot> {
  const [account, network] = await Promise.all([invoke(provider, 'connect', 'getAccount'), readNetwork(provider)])
  if (!isProvider(account) || typeof account.address !== 'string') return { status: 'disconnected-by-wallet' }
  return { status: 'open', account: { address: account.address, publicKey: readPublicKey(account.publicKey), network } }
}

/** Null if unknown. */
async function readNetwork(provider: Provider): Promise<string | null> {
  const network = await fetchNetwork(provider)
  return typeof network === 'string' && network !== '' ? network : null
}

/**
 * Changes in Kastle, always as a hint to refresh: the address in an event can be that of the previous network. Each
 * change has two events; one is used. A revoked permission has no event, only a message on `window`.
 */
export const hints$ = (provider: Provider, { page }: WalletEnvironment): Observable<WalletHint> =>
  merge(
    walletEvent$(provider, 'accountsChanged'),
    walletEvent$(provider, 'networkChanged'),
    fromEvent<MessageEvent<unknown>>(page, 'message').pipe(filter(({ data }) => isAboutOurHost(data))),
    fromEvent(page, 'focus'),
  ).pipe(map((): WalletHint => 'changed'))

/** Any script can post this message, so it only triggers a refresh. */
const isAboutOurHost = (data: unknown): boolean =>
  isProvider(data) && data.id === 'kas:host_connected' && data.source === 'background' && data.target === 'browser'
