import type { PageWindow } from '../page-window.js'
import { siteAccessOf, type Kasware } from './extension.js'

/**
 * Applies changes from other tabs, received through the shared storage, and emits them. Does not store them again: a
 * browser's tabs read copies of the storage, so that a late copy would overwrite a newer change of the other tab.
 */
export function syncOtherTabs({ accountState, notifier }: Kasware, page: PageWindow): void {
  const { origin } = page.location
  page.addEventListener('storage', () => {
    const next = accountState.stored()
    if (next === null) return
    const isPermitted = siteAccessOf({ state: next }, origin) === 'permitted'
    // emitted before the permission is revoked
    if (!isPermitted && siteAccessOf(accountState, origin) !== 'none') notifier.accounts([])
    accountState.adopt(next)
    notifier.network()
    if (isPermitted) notifier.accounts([accountState.address])
  })
}
