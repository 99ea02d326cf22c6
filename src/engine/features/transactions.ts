import { engineDisposed } from '../../errors/not-ready-error.js'
import { withFailedOutcome } from '../../errors/with-outcome.js'
import { lazyMethods } from '../../loading/lazy-methods.js'
import { loadCode } from '../../loading/load-code.js'
import type { TransactionOperations } from '../../operations/transactions/transaction-operations.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf } from '../core-parts.js'
import { feature } from '../feature.js'
import { sharing } from './sharing.js'
import { preloadWithKeys } from '../preload.js'
import { recordPayment } from '../record-payment.js'

/** The operations that send a payment, or plan that of an account of several signers. */
const PAYMENTS = ['send', 'sweep', 'consolidate', 'cancel'] as const

const isPlanned = (args: readonly unknown[]): boolean =>
  args.some((each) => typeof each === 'object' && each !== null && 'account' in each && each.account !== undefined)

/** The payments of `openTransactions`, whose code is loaded when keys are ready, or with the first call. */
export function transactions(core: ChainCore): TransactionOperations {
  const parts = partsOf(core)
  const loadModule = async () => {
    const isShared = feature(parts, sharing).claims !== null
    const [module] = await Promise.all([
      loadCode(() => import('../open-transactions.js')),
      isShared ? preloadClaims() : undefined,
    ])
    return module
  }
  preloadWithKeys(parts, loadModule)
  const load = async (): Promise<TransactionOperations> => (await loadModule()).openTransactions(parts)
  const checked = async <T>(run: () => Promise<T>): Promise<T> => {
    if (parts.lifetime.closed) throw engineDisposed()
    return run()
  }
  return {
    ...lazyMethods(['estimate', 'create', 'restore'], load, (_, run) => checked(run)),
    ...lazyMethods(PAYMENTS, load, (_, run, args) => {
      const pay = () => withFailedOutcome('unsent', () => checked(run))
      return isPlanned(args) ? pay() : recordPayment(parts, pay)
    }),
  }
}

/** Before the first claim, which has little time. */
const preloadClaims = (): Promise<unknown> =>
  loadCode(() => import('../claims/open-tab-claims.js')).catch(() => undefined) // the claim loads it again, and says so
