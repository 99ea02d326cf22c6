import { engineDisposed } from '../../errors/not-ready-error.js'
import { withFailedOutcome } from '../../errors/with-outcome.js'
import { lazyMethods } from '../../loading/lazy-methods.js'
import { loadCode } from '../../loading/load-code.js'
import type { TransactionOperations, SentTransactions } from '../../operations/transactions/transaction-operations.js'
import { type ChainCore, partsOf, feature, type CoreParts } from '../core-parts.js'
import { sharing } from './sharing.js'
import type { PaymentRecord } from '../recorder/recorder.js'
import { filter, take } from 'rxjs'

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

/** The result of `send`; records its start and its end, where there is a recorder. */
async function recordPayment(
  { probe, platform }: CoreParts,
  send: () => Promise<SentTransactions>,
): Promise<SentTransactions> {
  const record = (phase: PaymentRecord['phase'], transactionId: string | null = null): void =>
    probe?.record({ at: platform.now(), type: 'payment', phase, transactionId })
  record('started')
  try {
    const sent = await send()
    for (const transactionId of sent.transactionIds) record('submitted', transactionId)
    return sent
  } catch (error) {
    record('failed')
    throw error
  }
}

/**
 * Loads code as soon as keys are ready, so that the first call that needs it does not wait for the network. Loads
 * nothing where keys are never used. A failed load has no effect: the call loads again.
 */
export function preloadWithKeys({ wasm, lifetime }: CoreParts, load: () => Promise<unknown>): void {
  const ready$ = wasm.status$.pipe(
    filter(({ status }) => status === 'ready'),
    take(1),
  )
  const loadEarly = (): void => {
    load().catch(() => undefined) // the call that needs it loads again, and rejects
  }
  lifetime.add(ready$.subscribe(loadEarly))
}
