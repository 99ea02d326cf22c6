import { filter, firstValueFrom, type Observable } from 'rxjs'
import WebSocket from 'ws'
import type { ChainEngine } from '../../src/engine/engine.js'
import type { UtxoState } from '../../src/streams/utxos/view/state.js'
import { methods } from '../../src/node/messages/lookup.js'
import { ADDRESS, KAS, KEY } from './paying-node.js'

export interface TimedPayment {
  /** Ms from the call of `send()` until its submission was written to the socket. */
  readonly wire: number
  /** Ms of a call of the node, right after it. */
  readonly roundTrip: number
}

/** A payment from the UTXOs of the address, without what signs it. */
export const paymentFrom = ({ source }: UtxoState) => ({
  entries: source,
  outputs: [{ address: ADDRESS, amount: KAS }],
  changeAddress: ADDRESS,
})

/**
 * Pays so many times from the UTXOs of the address, with keys ready and the UTXOs known. `before`: runs before each
 * payment.
 */
export async function timePayments(
  engine: ChainEngine,
  count: number,
  before: (state$: Observable<UtxoState>, round: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<TimedPayment[]> {
  await engine.wasm.init()
  const { state$ } = engine.utxos([ADDRESS])
  const subscription = state$.subscribe()
  await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
  const submissions = observeSubmissions()
  const payments: TimedPayment[] = []
  for (let round = 0; round < count; round++) {
    await before(state$, round)
    const state = await firstValueFrom(state$)
    const from = performance.now()
    await engine.transactions.send({ ...paymentFrom(state), privateKeys: [KEY] })
    const call = performance.now()
    await engine.rpc.getSink()
    payments.push({ wire: (submissions.at(-1) ?? NaN) - from, roundTrip: performance.now() - call })
  }
  subscription.unsubscribe()
  return payments
}

/** The times at which submissions are written to any socket. */
function observeSubmissions(): number[] {
  const times: number[] = []
  const { send } = WebSocket.prototype
  WebSocket.prototype.send = function (this: WebSocket, ...args: unknown[]) {
    const [data] = args
    if (data instanceof Uint8Array && data[9] === methods.submitTransaction.op) times.push(performance.now())
    Reflect.apply(send, this, args)
  }
  return times
}
