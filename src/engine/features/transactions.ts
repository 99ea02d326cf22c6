import { filter, firstValueFrom, map, of, takeUntil, timeout, timer } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { toCall } from '../../operations/queries/call.js'
import type { TransactionDependencies } from '../../operations/transactions/dependencies.js'
import type { TransactionOperations } from '../../operations/transactions/transactions.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import { ends } from './ends.js'
import { reservations } from './reservations.js'

/**
 * Payments: over the core's node, by the keys of its WASM module, with the coins of its other payments set aside.
 * What plans, weighs and hashes them is fetched with the first one.
 */
export function transactions(core: ChainCore): TransactionOperations {
  const operations = onceLoaded(async () => {
    const { createTransactions } = await import('../../operations/transactions/transactions.js')
    return createTransactions(dependenciesOf(core))
  })
  return {
    estimate: async (settings, options) => (await operations()).estimate(settings, options),
    create: async (settings, options) => (await operations()).create(settings, options),
    send: async (settings, options) => (await operations()).send(settings, options),
  }
}

const dependenciesOf = (core: ChainCore): TransactionDependencies => ({
  network: core.network,
  call: toCall(core.call),
  sdk: (operation) => core.wasm.sdk(operation),
  reservations: feature(core, reservations),
  rejected: feature(core, ends).rejected,
  replaced: feature(core, ends).replaced,
  whenConnected: (patience) => whenConnected(core, patience),
  pause: async (ms) => {
    await firstValueFrom(timer(ms, core.platform.scheduler).pipe(takeUntil(core.ended$)), { defaultValue: 0 })
  },
})

/** Resolves once connected; rejects after `patience` ms, and where the connection rests until its user wants it back. */
async function whenConnected({ connection, platform }: ChainCore, patience: number): Promise<void> {
  const rests$ = connection.state$.pipe(
    map(({ status }) => status),
    filter((status) => status !== 'connecting' && status !== 'reconnecting'),
    timeout({ first: patience, with: () => of('reconnecting'), scheduler: platform.scheduler }),
  )
  const status = await firstValueFrom(rests$, { defaultValue: 'disconnected' })
  if (status !== 'connected') {
    throw new ChainRpcError('connect', new Error(`The connection is "${status}"`), { code: 'not-connected' })
  }
}
