import type { PageWindow } from '../page.js'
import type { FakeStorage } from '../storage.js'

/** Which site KasWare takes a page for. */
export interface CheckIn {
  /** The page's origin once it has checked in; before that the site that was in the tab before, or null. */
  readonly origin: string | null
}

export interface CheckInOptions {
  /** Ms from the load event to the check-in. */
  readonly delay: number
  /** The site that was in the tab before. */
  readonly previousSite: string | null
  /** What the tab remembers: a page that is reloaded has checked in already. */
  readonly tab: FakeStorage
}

const KEY = 'fake-wallet-a:checked-in'

/** KasWare learns of a tab's origin only after the load event, and believes whatever it knew until then. */
export function createCheckIn(page: PageWindow, { delay, previousSite, tab }: CheckInOptions): CheckIn {
  const { origin } = page.location
  let known = tab.getItem(KEY) === origin ? origin : previousSite
  const checkIn = (): void => {
    known = origin
    tab.setItem(KEY, origin)
  }
  const later = (): void => {
    setTimeout(checkIn, delay)
  }
  if (page.document.readyState !== 'complete') page.addEventListener('load', later)
  else if (delay === 0) checkIn()
  else later()
  return {
    get origin() {
      return known
    },
  }
}
