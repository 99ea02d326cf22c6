import { filter, firstValueFrom, of, timeout, timer } from 'rxjs'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { createTransactions, type TransactionOperations } from '../../operations/transactions/transactions.js'
import { toCall } from '../../operations/queries/call.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { reservations } from './reservations.js'

/** Payments: over the core's node, by the keys of its WASM module, with the coins of its other payments set aside. */
export const transactions = (core: ChainCore): TransactionOperations =>
  createTransactions({
    network: core.network,
    call: toCall(core.call),
    sdk: (operation) => core.wasm.sdk(operation),
    reservations: feature(core, reservations),
    whenConnected: (patience) => whenConnected(core, patience),
    pause: async (ms) => {
      await firstValueFrom(timer(ms, core.platform.scheduler))
    },
  })

/** Resolves once connected; rejects after `patience` ms, and where the connection rests until its user wants it back. */
async function whenConnected({ connection, platform }: ChainCore, patience: number): Promise<void> {
  const given = timeout({
    first: patience,
    with: () => of({ status: 'reconnecting' } as const),
    scheduler: platform.scheduler,
  })
  const rests$ = connection.state$.pipe(
    filter(({ status }) => status !== 'connecting' && status !== 'reconnecting'),
    given,
  )
  const { status } = await firstValueFrom(rests$, { defaultValue: { status: 'disconnected' } as const })
  if (status !== 'connected') {
    throw new ChainRpcError('connect', new Error(`The connection is "${status}"`), { code: 'not-connected' })
  }
}
