import { injectInto, type Injection, type PageWindow } from '../page.js'
import type { CallLog } from '../extension-calls.js'
import { PROFILES, type KastleProfile } from './extension.js'
import { KastleProvider } from './provider.js'
import { type CallExtension, readReply } from './transport.js'

/**
 * The order of the object and its relay with the ready event. Usually the event comes first, before the object exists.
 */
export interface Arrival {
  readonly order: 'event first' | 'object first'
  /** Ms between the two. */
  readonly gap: number
}

/** Injects Kastle's two parts: the object, and the relay without which calls are dropped. */
export function installPieces(
  page: PageWindow,
  profile: KastleProfile,
  pieces: { readonly provider: object; readonly openRelay: () => void },
  injection: Injection,
  { order, gap }: Arrival,
): void {
  const placeObject = (): void => {
    Object.assign(page, { kastle: pieces.provider })
  }
  const beginRelay = (): void => {
    pieces.openRelay()
    if (PROFILES[profile].readySignal === 'event') page.dispatchEvent(new Event('kastle#initialized'))
    else page.postMessage({ id: 'kastle_installed', source: 'background', target: 'browser' }, '*')
  }
  const [first, second] = order === 'event first' ? [beginRelay, placeObject] : [placeObject, beginRelay]
  injectInto(page, injection, () => {
    first()
    if (gap === 0) second()
    else setTimeout(second, gap)
  })
}

/** The provider of a Kastle version, without its missing methods. Records every call. */
export function createProvider(profile: KastleProfile, call: CallExtension, callLog: CallLog): KastleProvider {
  const { missing, objectRequest } = PROFILES[profile]
  const methods = Object.entries(Object.getOwnPropertyDescriptors(KastleProvider.prototype)).map(
    ([name, { value }]: [string, { value?: unknown }]) => [
      name,
      { value: missing.includes(name) ? undefined : logged(name, value, callLog), writable: true, configurable: true },
    ],
  )
  const prototype = Object.create(Object.prototype, Object.fromEntries(methods) as PropertyDescriptorMap) as object
  return Object.setPrototypeOf(new KastleProvider(call, objectRequest), prototype) as KastleProvider
}

/** The same method, recorded; it still needs its receiver. */
function logged(name: string, method: unknown, callLog: CallLog): unknown {
  if (typeof method !== 'function' || name === 'constructor') return method
  return function (this: unknown, ...args: unknown[]): unknown {
    callLog.record(name, args)
    return Reflect.apply(method, this, args) as unknown
  }
}

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
