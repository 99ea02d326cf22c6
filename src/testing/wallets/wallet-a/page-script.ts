import type { PageWindow } from '../page.js'
import { tooManyCalls } from './errors.js'

/** Sends a call to the extension. Calls of one `tick` were made in the same task. */
export type Deliver = (method: string, params: readonly unknown[], tick: number) => Promise<unknown>

export type Call = (method: string, params: readonly unknown[]) => Promise<unknown>

const LIMIT = 500

/**
 * KasWare's page script: serialises arguments as JSON, queues calls while the page is hidden, and limits pending calls
 * to 500. A call that never settles stays pending.
 */
export function createPageScript({ document }: PageWindow, deliver: Deliver): Call {
  let pending = 0
  let tick = 0
  const queue: (() => void)[] = []
  const flush = (): void => {
    // JSON.stringify throws here for a bigint: after the page is shown again the error reaches no caller and ends the
    // flush
    while (document.visibilityState === 'visible' && queue.length > 0) queue.shift()?.()
  }
  document.addEventListener('visibilitychange', flush)

  return async (method, params) => {
    if (pending >= LIMIT) throw tooManyCalls()
    pending++
    const callTick = tick
    queueMicrotask(() => (tick = callTick + 1))
    try {
      return await new Promise((resolve, reject) => {
        queue.push(() => {
          deliver(method, JSON.parse(JSON.stringify(params)) as unknown[], callTick).then(resolve, reject)
        })
        flush()
      })
    } finally {
      pending--
    }
  }
}
