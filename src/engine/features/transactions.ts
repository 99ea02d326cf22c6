import { filter, firstValueFrom, timer } from 'rxjs'
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
    whenConnected: () => whenConnected(core),
    pause: async (ms) => {
      await firstValueFrom(timer(ms, core.platform.scheduler))
    },
  })

/** Resolves once connected; rejects where the connection rests, and only its user could bring it back. */
async function whenConnected({ connection }: ChainCore): Promise<void> {
  const rests$ = connection.state$.pipe(filter(({ status }) => status !== 'connecting' && status !== 'reconnecting'))
  const { status } = await firstValueFrom(rests$, { defaultValue: { status: 'disconnected' } as const })
  if (status !== 'connected') {
    throw new ChainRpcError('connect', new Error(`The connection is "${status}"`), { code: 'not-connected' })
  }
}
