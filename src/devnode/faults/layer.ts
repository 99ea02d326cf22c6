import type { NodeNotification, RpcMethod, RpcResponse } from '../../node/messages/records.js'
import type { HttpRequest, HttpResponse } from '../http.js'
import type { Arrival, CallFate, Fault, Parcel } from './fault.js'

/** Where the servers ask, in each moment, what the active faults make of it. */
export interface FaultLayer {
  arrival(): Arrival
  call(method: RpcMethod): CallFate | undefined
  /** What is answered in place of executing a call; undefined where it is executed. */
  instead<M extends RpcMethod>(method: M): RpcResponse<M> | undefined
  answer<M extends RpcMethod>(method: M, response: RpcResponse<M>): RpcResponse<M>
  notifications(batch: readonly NodeNotification[]): readonly NodeNotification[]
  parcels(parcel: Parcel): readonly Parcel[]
  rest(request: HttpRequest): HttpResponse | undefined
}

const WELCOME: Arrival = { kind: 'accept' }

/** Many faults as one: the first that decides a fate wins; what alters a message is applied in the order of beginning. */
export function createFaultLayer(active: () => readonly Fault[]): FaultLayer {
  return {
    arrival: () => firstOf(active(), (fault) => fault.arrival?.()) ?? WELCOME,
    call: (method) => firstOf(active(), (fault) => fault.call?.(method)),
    instead: (method) => firstOf(active(), (fault) => excuse(fault, method)),
    answer: (method, response) => active().reduce((told, fault) => falsify(fault, method, told), response),
    notifications: (batch) => active().reduce((told, fault) => fault.notifications?.(told) ?? told, batch),
    parcels: (parcel) =>
      active().reduce<readonly Parcel[]>(
        (parcels, fault) =>
          fault.parcel === undefined ? parcels : parcels.flatMap((one) => fault.parcel?.(one) ?? one),
        [parcel],
      ),
    rest: (request) => firstOf(active(), (fault) => fault.rest?.(request)),
  }
}

function firstOf<T>(faults: readonly Fault[], ask: (fault: Fault) => T | undefined): T | undefined {
  for (const fault of faults) {
    const answer = ask(fault)
    if (answer !== undefined) return answer
  }
  return undefined
}

function excuse<M extends RpcMethod>(fault: Fault, method: M): RpcResponse<M> | undefined {
  return fault.instead?.[method]?.()
}

function falsify<M extends RpcMethod>(fault: Fault, method: M, response: RpcResponse<M>): RpcResponse<M> {
  const change = fault.falsified?.[method]
  return change === undefined ? response : change(response)
}
