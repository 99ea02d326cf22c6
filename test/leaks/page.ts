import { Window } from 'happy-dom'
import { WebSocket } from 'ws'

/** A page around this process, as the browser's platform and Vue want one. */
export interface Page {
  /** What listens to the window and to the document, by the event. */
  listeners(): readonly string[]
}

/**
 * Lets `work` live in a page. Vue looks for one when it is loaded, which must not happen before. Its sockets are Node's, as
 * those of a simulated page would go nowhere.
 */
export async function inPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const window = new Window({ url: 'http://localhost/' })
  const { document, navigator, location, Element, SVGElement } = window
  const listeners = [countListeners(window), countListeners(document)]
  const globals = {
    ...{ window, document, navigator, location, Element, SVGElement, WebSocket },
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  }
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  try {
    return await work({ listeners: () => listeners.flatMap((one) => one()) })
  } finally {
    await window.happyDOM.close()
  }
}

type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** Watches a target from now on; each listener that stands on it, in words. */
function countListeners(target: object): () => readonly string[] {
  const standing = new Map<string, Set<unknown>>()
  const { addEventListener, removeEventListener } = target as Target
  const of = (type: string): Set<unknown> => {
    const known = standing.get(type) ?? new Set()
    standing.set(type, known)
    return known
  }
  const watched: Target = {
    addEventListener(type: string, ...rest: [never, never]) {
      of(type).add(rest[0])
      addEventListener.call(target as EventTarget, type, ...rest)
    },
    removeEventListener(type: string, ...rest: [never, never]) {
      of(type).delete(rest[0])
      removeEventListener.call(target as EventTarget, type, ...rest)
    },
  }
  Object.assign(target, watched)
  return () => [...standing].flatMap(([type, listeners]) => [...listeners].map(() => `a listener to ${type}`))
}
