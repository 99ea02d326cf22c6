import { Observable, tap, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcMethod } from '../node/messages/records.js'
import { createDroppedResponses, type WaitingCall } from '../wrpc/deadlines.js'

/** The calls of a scripted socket without a response, which fail as those of a real connection do. */
export interface DroppedCalls {
  /** Fails a call with `timeout` where notifications arrive in place of its response. */
  failDropped<Response>(method: RpcMethod, timeout: number | undefined): MonoTypeOperatorFunction<Response>
  readonly onNotification: () => void
}

interface Call extends WaitingCall {
  readonly fail: () => void
}

/** Without a scheduler no call fails. */
export function createDroppedCalls(scheduler: SchedulerLike | undefined): DroppedCalls {
  const calls = new Set<Call>()
  const dropped = scheduler && createDroppedResponses(scheduler, () => [...calls])
  let order = 0n
  return {
    failDropped: (method, timeout) => (response$) =>
      new Observable((subscriber) => {
        if (timeout === undefined) return response$.subscribe(subscriber)
        const call: Call = {
          order: ++order,
          timeout,
          seconds: 0,
          fail: () => subscriber.error(responseDropped(method)),
        }
        calls.add(call)
        subscriber.add(() => calls.delete(call))
        return response$.pipe(tap(() => dropped?.onResponse(call.order))).subscribe(subscriber)
      }),
    onNotification: () => {
      for (const { fail } of dropped?.onNotification() ?? []) fail()
    },
  }
}

const responseDropped = (method: RpcMethod): ChainRpcError =>
  new ChainRpcError(method, new ChainError('Notifications, and no response'), { code: 'timeout' })
