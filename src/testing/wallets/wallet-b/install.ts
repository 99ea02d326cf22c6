import { injectInto, type Injection } from '../page.js'
import type { PageWindow } from '../page-window.js'
import { PROFILES, type KastleProfile } from './profile.js'

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
