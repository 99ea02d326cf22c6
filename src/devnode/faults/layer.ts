import type { NodeNotification, RpcMethod, RpcResponse } from '../../node/messages/records.js'
import type { HttpRequest, HttpResponse } from '../http.js'
import type { HandshakeDecision, CallDecision, Fault, OutgoingMessage } from './fault.js'

/** The hooks that the servers call: the active faults as one. */
export interface FaultLayer {
  handshake(): HandshakeDecision
  call(method: RpcMethod): CallDecision | undefined
  /** A response that replaces the execution of a call; undefined: execute it. */
  stub<M extends RpcMethod>(method: M): RpcResponse<M> | undefined
  transform<M extends RpcMethod>(method: M, response: RpcResponse<M>): RpcResponse<M>
  notifications(batch: readonly NodeNotification[]): readonly NodeNotification[]
  outgoing(message: OutgoingMessage): readonly OutgoingMessage[]
  rest(request: HttpRequest): HttpResponse | undefined
}

const ACCEPT: HandshakeDecision = { kind: 'accept' }

/** Combines faults: the first decision wins, changes to messages are applied in the order in which the faults began. */
export function createFaultLayer(active: () => readonly Fault[]): FaultLayer {
  return {
    handshake: () => firstOf(active(), (fault) => fault.handshake?.()) ?? ACCEPT,
    call: (method) => firstOf(active(), (fault) => fault.call?.(method)),
    stub: (method) => firstOf(active(), (fault) => stubOf(fault, method)),
    transform: (method, response) =>
      active().reduce((current, fault) => transformResponse(fault, method, current), response),
    notifications: (batch) => active().reduce((current, fault) => fault.notifications?.(current) ?? current, batch),
    outgoing: (message) =>
      active().reduce<readonly OutgoingMessage[]>(
        (outgoing, fault) =>
          fault.outgoing === undefined ? outgoing : outgoing.flatMap((one) => fault.outgoing?.(one) ?? one),
        [message],
      ),
    rest: (request) => firstOf(active(), (fault) => fault.rest?.(request)),
  }
}

function firstOf<T>(faults: readonly Fault[], decide: (fault: Fault) => T | undefined): T | undefined {
  for (const fault of faults) {
    const decision = decide(fault)
    if (decision !== undefined) return decision
  }
  return undefined
}

function stubOf<M extends RpcMethod>(fault: Fault, method: M): RpcResponse<M> | undefined {
  return fault.stubs?.[method]?.()
}

function transformResponse<M extends RpcMethod>(fault: Fault, method: M, response: RpcResponse<M>): RpcResponse<M> {
  const change = fault.transforms?.[method]
  return change === undefined ? response : change(response)
}
