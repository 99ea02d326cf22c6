import type { PageWindow } from '../page-window.js'
import { readReply } from './envelope.js'
import type { KastleProvider } from './provider.js'

/** The messages that become events, and the event's second name. */
const EVENTS = [
  {
    id: 'kas:account_changed',
    name: 'accountsChanged',
    toPayload: (address: unknown) => (address === null ? [] : [address]),
  },
  { id: 'kas:network_changed', name: 'networkChanged', toPayload: (network: unknown) => network },
]

/** Emits messages to the provider's listeners. A listener that throws prevents later ones. */
export function deliverEvents(page: PageWindow, provider: KastleProvider): void {
  const emit = (event: string, payload: unknown): void =>
    provider.listenersOf.get(event)?.forEach((listener) => listener(payload as never))
  page.addEventListener('message', (event) => {
    const reply = readReply(event)
    const found = EVENTS.find(({ id }) => id === reply?.id)
    if (reply === undefined || found === undefined) return
    emit(found.name, found.toPayload(reply.response))
    emit(found.id, reply.response)
  })
}
