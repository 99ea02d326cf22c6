import { filter, fromEvent, map, merge, type Observable } from 'rxjs'
import { walletEvent$ } from '../emitter.js'
import type { WalletHint } from '../port.js'
import { isProvider, type Provider } from '../provider.js'
import type { Surroundings } from '../surroundings.js'

/**
 * What Kastle tells of changes: always a mere occasion to look, since the address it names may be that of the network
 * before. Each change has two events, of which one is enough. That the site was unlinked it tells nobody but the window.
 */
export const hints$ = (provider: Provider, { page }: Surroundings): Observable<WalletHint> =>
  merge(
    walletEvent$(provider, 'accountsChanged'),
    walletEvent$(provider, 'networkChanged'),
    fromEvent<MessageEvent<unknown>>(page, 'message').pipe(filter(({ data }) => isAboutOurHost(data))),
    fromEvent(page, 'focus'),
  ).pipe(map((): WalletHint => 'changed'))

/** Anyone in the page can post such a message: it is believed only to look. */
const isAboutOurHost = (data: unknown): boolean =>
  isProvider(data) && data.id === 'kas:host_connected' && data.source === 'background' && data.target === 'browser'
