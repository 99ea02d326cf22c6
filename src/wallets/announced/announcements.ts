import { Observable, filter, fromEvent, merge } from 'rxjs'
import { memberOf } from '../foreign-object.js'
import { hasMethods, isProvider, type Provider } from '../provider.js'
import type { Page, WalletEnvironment } from '../environment.js'
import { isMixedScript, normalizeText, isKnownWallet } from './display-name.js'
import { createAnnouncementList, type Announcement } from './keep-announcements.js'

/** The drafts of a standard (KIP-12, KCC-12, kaspa-wallet-standard) differ in the event's name only. */
const EVENTS = ['kaspa:provider', 'kaspa:announceProvider']
const REQUEST = 'kaspa:requestProvider'

/**
 * Kasperia announces itself by EIP-6963 only. Ethereum's wallets do so too: only a provider with Kaspa's methods
 * counts.
 */
const EIP_6963 = { event: 'eip6963:announceProvider', request: 'eip6963:requestProvider' }

/** Limits against a hostile page: characters of a name or id, characters of an icon. */
const LIMITS = { text: 256, icon: 1_000_000 }

/** Ms. From the limit on, announcements are read together, once per frame. */
const FRAME = 16

/**
 * The announced wallets, at most 50: requests announcements on subscription and adds later ones. Duplicates by id are
 * ignored, built-in wallets omitted. Emits changes only, and never completes.
 */
export const announcements$ = ({ page, platform }: WalletEnvironment): Observable<readonly Announcement[]> =>
  new Observable((subscriber) => {
    const list = createAnnouncementList()
    const waiting: unknown[] = []
    const add = (detail: unknown): boolean => {
      const announcement = readAnnouncement(detail)
      return announcement !== null && list.add(announcement)
    }
    const addWaiting = (): void => {
      const changes = waiting.splice(0).map(add)
      if (changes.includes(true)) subscriber.next(list.items())
    }
    subscriber.next(list.items())
    const announced$ = merge(
      ...EVENTS.map((name) => fromEvent<CustomEvent<unknown>>(page, name)),
      kaspaProviders$(page),
    )
    subscriber.add(
      announced$.subscribe(({ detail }) => {
        if (list.state() === 'final') return
        if (waiting.push(detail) > 1) return // the pass of this frame reads it
        if (list.state() === 'open') addWaiting()
        else subscriber.add(platform.scheduler.schedule(addWaiting, FRAME))
      }),
    )
    page.dispatchEvent(new Event(EIP_6963.request))
    page.dispatchEvent(new Event(REQUEST)) // after the subscription: wallets announce themselves synchronously
  })

/** Announcements by EIP-6963 of providers with Kaspa's methods, those of KasWare. */
const kaspaProviders$ = (page: Page): Observable<CustomEvent<unknown>> =>
  fromEvent<CustomEvent<unknown>>(page, EIP_6963.event).pipe(
    filter(({ detail }) => {
      const provider = isProvider(detail) ? memberOf(detail, 'provider') : undefined
      return isProvider(provider) && hasMethods(provider, 'requestAccounts', 'sendKaspa')
    }),
  )

/** Null for an invalid announcement: any script in the page can dispatch these events. */
function readAnnouncement(detail: unknown): Announcement | null {
  if (!isProvider(detail)) return null
  const [info, provider] = [memberOf(detail, 'info'), memberOf(detail, 'provider')]
  if (!isProvider(info) || !isProvider(provider)) return null
  const rdns = domainOf(info)
  const name = nameOf(info, rdns)
  const id = rdns ?? textOf(info, 'id') ?? textOf(info, 'uuid') ?? name
  if (name === null || id === null || isKnownWallet({ name, rdns })) return null
  const methods = memberOf(info, 'methods')
  const announced = { info: { id: `announced:${id}`, name, icon: iconOf(info), rdns }, provider }
  return Array.isArray(methods) ? { ...announced, methods } : announced
}

/** A name in one script; another one is replaced by the domain. Null if there is none. */
function nameOf(info: Provider, rdns: string | null): string | null {
  const name = textOf(info, 'name')
  return name !== null && isMixedScript(name) ? rdns : name
}

/** The domain in reverse order. Null if it has characters that domains do not have. */
function domainOf(info: Provider): string | null {
  const rdns = textOf(info, 'rdns')
  return rdns !== null && /^[a-z0-9._-]+$/i.test(rdns) ? rdns : null
}

function textOf(info: Provider, field: string): string | null {
  const text = memberOf(info, field)
  if (typeof text !== 'string' || text.length > LIMITS.text) return null
  const shown = normalizeText(text)
  return shown === '' ? null : shown
}

/** Data URIs only: a remote icon would disclose the user to its server. */
function iconOf(info: Provider): string | null {
  const icon = memberOf(info, 'icon')
  return typeof icon === 'string' && /^data:image\//i.test(icon) && icon.length <= LIMITS.icon ? icon : null
}
