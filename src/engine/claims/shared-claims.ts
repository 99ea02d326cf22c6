import { firstValueFrom, from, timeout } from 'rxjs'
import { loadCode } from '../../loading/load-code.js'
import type { ClaimedPlan, PaymentClaims } from '../../operations/transactions/dependencies.js'
import type { CoreParts } from '../core-parts.js'
import { feature } from '../feature.js'
import { sharing } from '../features/sharing.js'
import type { TabClaims } from './tab-claims.js'

/** How long, in ms, a payment waits for its claim. */
const CLAIM_LIMIT = 500

/**
 * The claims of all tabs, whose code is loaded here; undefined where they are not shared. A claim that fails, or takes
 * too long, stops no payment: the tab goes on alone, and the next payment tries again.
 */
export function sharedClaims(core: CoreParts): PaymentClaims | undefined {
  const { claims, claimed } = feature(core, sharing)
  if (claims === null) return undefined
  const onFailure = (error: unknown): void => {
    core.options.logger.warn('UTXOs are not reserved in other tabs', { error })
    claimed(false)
  }
  let opened: { readonly network: string; readonly tab: Promise<TabClaims> } | undefined
  const close = (): void => void opened?.tab.then((tab) => tab.close()).catch(onFailure)
  const open = (): Promise<TabClaims> => {
    const network = core.network()
    if (opened?.network !== network) {
      close()
      const tab = loadCode(() => import('./open-tab-claims.js')).then(({ openTabClaims }) =>
        openTabClaims(core, `vue-chain/${claims.name}/${network}`, onFailure),
      )
      tab.catch(() => (opened = undefined)) // the next payment loads again
      opened = { network, tab }
    }
    return opened.tab
  }
  const run = async <T>(work: (tab: TabClaims) => Promise<T>, otherwise: T): Promise<T> => {
    try {
      const result = await firstValueFrom(
        from(open().then(work)).pipe(timeout({ first: CLAIM_LIMIT, scheduler: core.platform.scheduler })),
      )
      claimed(true)
      return result
    } catch (error) {
      onFailure(error)
      return otherwise
    }
  }
  core.lifetime.add(close)
  core.lifetime.add(core.network$.subscribe(() => void open().catch(onFailure))) // shows what others have claimed
  return {
    claim: (plan: ClaimedPlan) => run((tab) => tab.claim(plan), true),
    sent: (plan: ClaimedPlan) => run((tab) => tab.sent(plan), true),
    refresh: () => run((tab) => tab.refresh(), undefined),
  }
}
