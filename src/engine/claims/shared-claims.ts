import { firstValueFrom, from, timeout } from 'rxjs'
import { loadCode } from '../../loading/load-code.js'
import type { ChainNetwork } from '../../model/network.js'
import type { ClaimedPlan, PaymentClaims } from '../../operations/transactions/transaction-operations.js'
import { type CoreParts, feature } from '../core-parts.js'
import { sharing } from '../features/sharing.js'
import type { TabClaims } from './tab-claims.js'

/** How long, in ms, a payment waits for its claim. */
const CLAIM_LIMIT = 500

/** The claims of all tabs. Never rejects. */
export interface SharedClaims extends PaymentClaims {
  /**
   * A wallet of a journal has signed this, and nothing else that is not settled: other tabs respect it until the next
   * call. `owner`: the database of the journal and, after a space, the wallet.
   */
  mirror(owner: string, plan: ClaimedPlan): Promise<void>
}

/**
 * The claims of all tabs, whose code is loaded here; undefined where they are not shared. A claim that fails, or takes
 * too long, stops no payment: the tab goes on alone, and the next payment tries again.
 */
export function sharedClaims(core: CoreParts): SharedClaims | undefined {
  const { claims, claimed } = feature(core, sharing)
  if (claims === null) return undefined
  const onFailure = (error: unknown): void => {
    core.options.logger.warn('UTXOs are not reserved in other tabs', { error })
    claimed(false)
  }
  let opened: { readonly network: ChainNetwork; readonly tab: Promise<TabClaims> } | undefined
  const close = (): void => {
    void opened?.tab.then((tab) => tab.close()).catch(onFailure)
    opened = undefined
  }
  const open = (): Promise<TabClaims> => {
    const network = core.network()
    if (opened?.network === network) return opened.tab
    close()
    const name = `vue-chain/${claims.name}/${network}`
    const isCurrent = (): boolean => core.network() === network
    const tab = loadCode(() => import('./open-tab-claims.js')).then(({ openTabClaims }) =>
      openTabClaims(core, { name, isCurrent, onFailure }),
    )
    opened = { network, tab }
    tab.catch(() => {
      if (opened?.tab === tab) opened = undefined // the next payment tries again; it has the error
    })
    return tab
  }
  const run = async <T>(work: (tab: TabClaims) => Promise<T>, otherwise: T): Promise<T> => {
    if (core.lifetime.closed) return otherwise
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
  /** A plan of another network concerns no tab of this one. */
  const isOfAnother = ({ network }: ClaimedPlan): boolean => network !== core.network()
  core.lifetime.add(close)
  core.lifetime.add(core.network$.subscribe(() => void open().catch(onFailure))) // shows what others have claimed
  return {
    claim: async (plan, state) => (isOfAnother(plan) ? 'claimed' : run((tab) => tab.claim(plan, state), 'claimed')),
    refresh: () => run((tab) => tab.refresh(), undefined),
    mirror: async (journal, plan) =>
      isOfAnother(plan) ? undefined : run((tab) => tab.mirror(journal, plan), undefined),
  }
}
