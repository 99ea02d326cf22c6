import { useSubscription } from '@vueuse/rxjs'
import type { RpcEventType } from '../../../model/event.js'
import type { RpcEventHandler } from '../../../streams/handlers.js'
import { isServer } from '../bridges/is-server.js'
import { useCore } from '../plugin/core.js'

/**
 * Has `handler` hear every event of a type, each once, until the calling scope ends. The node is subscribed to them while
 * anyone listens, and again after each reconnect.
 */
export function useRpcEvent<Type extends RpcEventType>(type: Type, handler: RpcEventHandler<Type>): void {
  const { events$ } = useCore('useRpcEvent')
  if (!isServer()) useSubscription(events$(type).subscribe(handler))
}
