import { useSubscription } from '@vueuse/rxjs'
import type { RpcEventType } from '../../../model/event.js'
import type { RpcEventHandler } from '../../../streams/handlers.js'
import { isServer } from '../bridges/render-phase.js'
import { useCore } from '../plugin/core.js'

/**
 * Calls `handler` once per event of a type until the calling scope ends. The subscription at the node exists while
 * there are subscribers, and is placed again after each reconnect.
 */
export function useRpcEvent<Type extends RpcEventType>(type: Type, handler: RpcEventHandler<Type>): void {
  const { events$ } = useCore('useRpcEvent')
  if (!isServer()) useSubscription(events$(type).subscribe(handler))
}
