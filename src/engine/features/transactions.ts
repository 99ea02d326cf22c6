import { filter, firstValueFrom, map, of, takeUntil, timeout, timer } from 'rxjs'
import { engineDisposed } from '../../errors/engine-disposed.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { toCall } from '../../operations/queries/call.js'
import type { TransactionDependencies } from '../../operations/transactions/dependencies.js'
import type { TransactionOperations } from '../../operations/transactions/transactions.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { recordPayment } from '../record-payment.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import { keyPaths } from './key-paths.js'
import { ownChanges } from './own-changes.js'
import { submissionOutcomes } from './submission-outcomes.js'
import { unconfirmed } from './unconfirmed.js'

/**
 * Payments with the core's node and WASM module, without the UTXOs that its pending payments have reserved.
 * The code is loaded with the first call.
 */
export function transactions(core: ChainCore): TransactionOperations {
  const load = onceLoaded(async () => {
    const { createTransactions } = await import('../../operations/transactions/transactions.js')
    return createTransactions(dependenciesOf(core))
  })
  const operations = async (): Promise<TransactionOperations> => {
    if (core.lifetime.closed) throw engineDisposed()
    return load()
  }
  return {
    estimate: async (settings, options) => (await operations()).estimate(settings, options),
    create: async (settings, options) => (await operations()).create(settings, options),
    send: (settings, options) => recordPayment(core, async () => (await operations()).send(settings, options)),
    sweep: (settings, options) => recordPayment(core, async () => (await operations()).sweep(settings, options)),
    consolidate: (settings, options) =>
      recordPayment(core, async () => (await operations()).consolidate(settings, options)),
    cancel: (id, settings, options) =>
      recordPayment(core, async () => (await operations()).cancel(id, settings, options)),
    restore: async (serialized) => (await operations()).restore(serialized),
  }
}

const dependenciesOf = (core: ChainCore): TransactionDependencies => ({
  network: core.network,
  call: toCall(core.call),
  sdk: (operation) => core.wasm.sdk(operation),
  reservations: feature(core, unconfirmed),
  onRejected: feature(core, submissionOutcomes).rejected,
  onReplaced: (transactionId, by) => {
    feature(core, unconfirmed).replaced(transactionId)
    feature(core, submissionOutcomes).replaced(transactionId, by)
  },
  rememberChange: feature(core, ownChanges).remember,
  keyPathOf: feature(core, keyPaths).keyPathOf,
  logger: core.options.logger,
  whenConnected: (timeoutMs) => whenConnected(core, timeoutMs),
  now: () => core.platform.now(),
  pause: async (ms) => {
    await firstValueFrom(timer(ms, core.platform.scheduler).pipe(takeUntil(core.ended$)), { defaultValue: 0 })
  },
})

/** Resolves once connected; rejects after `timeoutMs`, and where no connection is being made. */
async function whenConnected({ connection, platform }: ChainCore, timeoutMs: number): Promise<void> {
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
