import { injectInto, type Injection, type PageWindow } from '../page.js'
import { PROFILES, type KastleProfile } from './profile.js'

/** Which of its two pieces is ready first. The event first, as mostly, tells of an object that is not there yet. */
export interface Arrival {
  readonly order: 'event first' | 'object first'
  /** Ms from the one to the other. */
  readonly gap: number
}

/** The two pieces of Kastle in a page: the object, and the relay without which calls to it are lost. */
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
    if (PROFILES[profile].greeting === 'event') page.dispatchEvent(new Event('kastle#initialized'))
    else page.postMessage({ id: 'kastle_installed', source: 'background', target: 'browser' }, '*')
  }
  const [first, second] = order === 'event first' ? [beginRelay, placeObject] : [placeObject, beginRelay]
  injectInto(page, injection, () => {
    first()
    if (gap === 0) second()
    else setTimeout(second, gap)
  })
}
