import { filter, fromEvent, map, merge, type Observable } from 'rxjs'
import { walletEvent$ } from '../emitter.js'
import type { WalletHint } from '../port.js'
import { isProvider, type Provider } from '../provider.js'
import type { WalletEnvironment } from '../environment.js'

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
