import type { PageWindow } from '../page.js'
import { standingOf, type Kasware } from './extension.js'

/**
 * The extension is one for all tabs: what happened in another one is known in this one, too, and told. Tabs hear of one
 * another through the storage that they share.
 */
export function followOtherTabs({ vault, news }: Kasware, page: PageWindow): void {
  const { origin } = page.location
  page.addEventListener('storage', () => {
    const next = vault.stored()
    if (next === null) return
    const isShown = standingOf({ state: next }, origin) === 'permitted'
    if (!isShown && standingOf(vault, origin) !== 'stranger') news.accounts([]) // while the site may still hear it
    vault.update(next)
    news.network()
    if (isShown) news.accounts([vault.address])
  })
}
