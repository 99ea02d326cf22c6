import { Observable, fromEvent, merge, scan, startWith } from 'rxjs'
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
  known.some(({ info }) => info.id === next.info.id) ? known : [...known, next]

/** Null for what is no announcement: anyone in the page can dispatch such events. */
function readAnnouncement(detail: unknown): Announcement | null {
  if (!isProvider(detail) || !isProvider(detail.info) || !isProvider(detail.provider)) return null
  const { info, provider } = detail
  const name = toText(info.name)
  const rdns = toText(info.rdns)
  const id = rdns ?? toText(info.id) ?? toText(info.uuid) ?? name
  if (name === null || id === null) return null
  return { info: { id: `announced:${id}`, name, icon: toIcon(info.icon), rdns }, provider }
}

const toText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Only an image that comes along is shown: another address would tell its server who looks. */
const toIcon = (value: unknown): string | null =>
  typeof value === 'string' && value.startsWith('data:image/') ? value : null
