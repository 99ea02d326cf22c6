import { filter, firstValueFrom, map, merge, of, takeUntil, timeout, timer } from 'rxjs'
import { ChainRpcError } from '../errors/rpc-error.js'
import { abort$ } from '../loading/abortable.js'
import { toCall } from '../operations/queries/call.js'
import type {
  PendingPayments,
  TransactionDependencies,
  TransactionOperations,
} from '../operations/transactions/transaction-operations.js'
import { createStoredAmounts } from '../operations/transactions/sign/signed-amounts.js'
import { createTransactions } from '../operations/transactions/transactions.js'
import { sharedClaims } from './claims/shared-claims.js'
import { type CoreParts, feature } from './core-parts.js'
import { keyPaths, managedAddresses } from './features/own-addresses.js'
import { ownChanges, paymentChecks, submissionOutcomes, sentIds } from './features/own-payments.js'
import { unconfirmed } from './features/unconfirmed.js'

/**
 * Payments with the core's node and WASM module, without the UTXOs that its pending payments have reserved. A payment
 * queue replaces some of the dependencies.
 */
export const openTransactions = (
  core: CoreParts,
  replaced: Partial<TransactionDependencies> = {},
): TransactionOperations => createTransactions({ ...dependenciesOf(core), ...replaced })

/** What payments need of a core. */
export const dependenciesOf = (core: CoreParts): TransactionDependencies => ({
  network: core.network,
  call: toCall(core),
  sentIds: feature(core, sentIds),
  sdk: (operation) => core.wasm.sdk(operation),
  reservations: feature(core, unconfirmed),
  payments: pendingPayments(core),
  claims: feature(core, sharedClaims),
  onRejected: feature(core, submissionOutcomes).rejected,
  onReplaced: (transactionId, by) => {
    feature(core, unconfirmed).replaced(transactionId)
    feature(core, submissionOutcomes).replaced(transactionId, by)
  },
  rememberChange: feature(core, ownChanges).remember,
  managed: feature(core, managedAddresses),
  checks: feature(core, paymentChecks),
  keyPathOf: feature(core, keyPaths).keyPathOf,
  signedAmounts:
    core.options.signedAmounts ?? (core.platform.storage && createStoredAmounts(core.platform.storage)) ?? undefined,
  logger: core.options.logger,
  whenConnected: (timeoutMs) => whenConnected(core, timeoutMs),
  now: () => core.platform.now(),
  pause: async (ms) => {
    await firstValueFrom(timer(ms, core.platform.scheduler).pipe(takeUntil(core.ended$)), { defaultValue: 0 })
  },
})

function pendingPayments(core: CoreParts): PendingPayments {
  const pending = feature(core, unconfirmed)
  const { scheduler } = core.platform
  return {
    all: () => pending.payments(),
    isPending: (id) => pending.records.all.get(id)?.own.step !== 'accepted',
    now: () => scheduler.now(),
    changed: async (ms, signal) => {
      const changes$ = merge(pending.changed$, timer(ms, scheduler), abort$(signal), core.ended$)
      await firstValueFrom(changes$, { defaultValue: undefined })
    },
  }
}

/** Resolves once connected; rejects after `timeoutMs`, and where no connection is being made. */
async function whenConnected({ connection, platform }: CoreParts, timeoutMs: number): Promise<void> {
  const status$ = connection.state$.pipe(
    map(({ status }) => status),
    filter((status) => status !== 'connecting' && status !== 'reconnecting'),
    timeout({ first: timeoutMs, with: () => of('reconnecting'), scheduler: platform.scheduler }),
  )
  const status = await firstValueFrom(status$, { defaultValue: 'disconnected' })
  if (status !== 'connected') {
    throw new ChainRpcError('connect', new Error(`The connection is "${status}"`), { code: 'not-connected' })
  }
}
