import { Observable, fromEvent, merge, scan, startWith } from 'rxjs'
import { memberOf } from '../member-of.js'
import type { WalletInfo } from '../port.js'
import { isProvider, type Provider } from '../provider.js'
import type { Page } from '../surroundings.js'

/** A wallet that made itself known. */
export interface Announcement {
  readonly info: WalletInfo
  readonly provider: Provider
}

/** The drafts of a standard (KIP-12, KCC-12, kaspa-wallet-standard) differ in the event's name only. */
const EVENTS = ['kaspa:provider', 'kaspa:announceProvider']
const REQUEST = 'kaspa:requestProvider'

/** How many are listed, how many characters a name or an id may have, and how many a picture: what is beyond is noise. */
const MOST = { announcements: 50, text: 256, icon: 1_000_000 }

/**
 * Every wallet that announces itself: those that are there are asked for at once, others come when they load. A wallet that
 * says its name again is still the one it was. Never completes.
 */
export const announcements$ = (page: Page): Observable<readonly Announcement[]> =>
  new Observable<Announcement>((subscriber) => {
    const heard$ = merge(...EVENTS.map((name) => fromEvent<CustomEvent<unknown>>(page, name)))
    const listening = heard$.subscribe(({ detail }) => {
      const announcement = readAnnouncement(detail)
      if (announcement !== null) subscriber.next(announcement)
    })
    page.dispatchEvent(new Event(REQUEST)) // after the listeners: a wallet that is there answers on the spot
    return listening
  }).pipe(scan(add, []), startWith([]))

const add = (known: readonly Announcement[], next: Announcement): readonly Announcement[] =>
  known.length >= MOST.announcements || known.some(({ info }) => info.id === next.info.id) ? known : [...known, next]

/** Null for what is no announcement: anyone in the page can dispatch such events. */
function readAnnouncement(detail: unknown): Announcement | null {
  if (!isProvider(detail)) return null
  const [info, provider] = [memberOf(detail, 'info'), memberOf(detail, 'provider')]
  if (!isProvider(info) || !isProvider(provider)) return null
  const name = textOf(info, 'name')
  const rdns = textOf(info, 'rdns')
  const id = rdns ?? textOf(info, 'id') ?? textOf(info, 'uuid') ?? name
  if (name === null || id === null) return null
  return { info: { id: `announced:${id}`, name, icon: iconOf(info), rdns }, provider }
}

function textOf(info: Provider, field: string): string | null {
  const text = memberOf(info, field)
  return typeof text === 'string' && text.trim() !== '' && text.length <= MOST.text ? text : null
}

/** Only an image that comes along is shown: another address would tell its server who looks. */
function iconOf(info: Provider): string | null {
  const icon = memberOf(info, 'icon')
  return typeof icon === 'string' && /^data:image\//i.test(icon) && icon.length <= MOST.icon ? icon : null
}
