import { createBrowserTabs } from '../../platform/tabs.js'
import type { CoreParts } from '../core-parts.js'
import { feature } from '../feature.js'
import { unconfirmed } from '../features/unconfirmed.js'
import { TabClaims } from './tab-claims.js'

/** Opens the claims of a database and reads those of other tabs. Rejects where there are none, or it cannot be read. */
export async function openTabClaims(
  core: CoreParts,
  name: string,
  onFailure: (error: unknown) => void,
): Promise<TabClaims> {
  const { platform, options } = core
  const tabs = platform.tabs ?? createBrowserTabs()
  if (tabs === null) throw new Error('Tabs share nothing here')
  const claims = new TabClaims({
    tabs,
    name,
    unconfirmed: feature(core, unconfirmed),
    platform,
    logger: options.logger,
    onFailure,
  })
  await claims.refresh()
  return claims
}
