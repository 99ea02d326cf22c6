import { createBrowserTabs } from '../../platform/tabs.js'
import { type CoreParts, feature } from '../core-parts.js'
import { unconfirmed } from '../features/unconfirmed.js'
import { TabClaims, type TabClaimsContext } from './tab-claims.js'

/**
 * Opens the claims of a database and reads those of other tabs. Rejects where there are none, or it cannot be read;
 * nothing stays open then.
 */
export async function openTabClaims(
  core: CoreParts,
  context: Pick<TabClaimsContext, 'name' | 'isCurrent' | 'onFailure'>,
): Promise<TabClaims> {
  const { platform, options } = core
  const tabs = platform.tabs ?? createBrowserTabs()
  if (tabs === null) throw new Error('Tabs share nothing here')
  const { logger } = options
  const claims = new TabClaims({ ...context, tabs, unconfirmed: feature(core, unconfirmed), platform, logger })
  try {
    await claims.refresh()
  } catch (error) {
    await claims.close()
    throw error
  }
  return claims
}
