import type { PageWindow } from '../page.js'
import type { FakeStorage } from '../storage.js'

/** The site that KasWare assigns to a page. */
export interface CheckIn {
  /** The page's origin after its check-in; before that the tab's previous site, or null. */
  readonly origin: string | null
}

export interface CheckInOptions {
  /** Ms from the load event to the check-in. */
  readonly delay: number
  /** The site that was open in the tab before. */
  readonly previousSite: string | null
  /** The tab's storage: a reloaded page is already checked in. */
  readonly tab: FakeStorage
}

const KEY = 'fake-wallet-a:checked-in'

/** KasWare receives a tab's origin only after the load event, and uses the previous one until then. */
export function createCheckIn(page: PageWindow, { delay, previousSite, tab }: CheckInOptions): CheckIn {
  const { origin } = page.location
  let checkedIn = tab.getItem(KEY) === origin ? origin : previousSite
  const checkIn = (): void => {
    checkedIn = origin
    tab.setItem(KEY, origin)
  }
  const schedule = (): void => {
    setTimeout(checkIn, delay)
  }
  if (page.document.readyState !== 'complete') page.addEventListener('load', schedule)
  else if (delay === 0) checkIn()
  else schedule()
  return {
    get origin() {
      return checkedIn
    },
  }
}
