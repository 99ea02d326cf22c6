import type { Hub } from './hub.js'
import { PROTOCOL_VERSION, toWorkerMessage, type WorkerPort } from './messages.js'

/** The shared worker: the hubs of an origin, one for each name by which tabs share. */
export interface Reception {
  /** Takes the port of a tab, and has it served by the hub that its first message names. */
  accept(port: WorkerPort): void
}

/** Ports of one worker, and hubs. */
const MAX_PORTS = 64

/** The lock of a tab, after the scope of its hub. */
const TAB_LOCK = /^(vue-chain\/[a-z0-9-]{1,40}\/\d+)\/tab\/[\w.-]{1,64}$/

/** The scope of the locks of tabs that share by a name. */
export const scopeOfName = (name: string): string => `vue-chain/${name}/${PROTOCOL_VERSION}`

export function createReception(createHub: (scope: string) => Hub): Reception {
  const hubs = new Map<string, Hub>()
  let ports = 0

  const hubOf = (scope: string): Hub | undefined => {
    if (!hubs.has(scope) && hubs.size < MAX_PORTS) hubs.set(scope, createHub(scope))
    return hubs.get(scope)
  }
  return {
    accept: (port) => {
      if (ports >= MAX_PORTS) {
        port.close()
        return
      }
      ports++
      port.receive((data) => {
        const message = toWorkerMessage(data)
        if (message?.type !== 'hello' || message.version !== PROTOCOL_VERSION) return
        const scope = TAB_LOCK.exec(message.lock)?.[1]
        const hub = scope === undefined ? undefined : hubOf(scope)
        void hub?.serve(port, message.lock).finally(() => ports--)
      })
    },
  }
}
