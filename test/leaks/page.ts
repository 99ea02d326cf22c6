import { Window } from 'happy-dom'
import { WebSocket } from 'ws'

/** Simulated globals of a page, for the browser platform and Vue. */
export interface Page {
  /** Registered listeners of the window and the document, by event. */
  listeners(): readonly string[]
}

/**
 * Runs `work` with the globals of a page. Vue detects them at import time and must be imported afterwards. The sockets
 * are those of `ws`, because a simulated page has no network.
 */
export async function withPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const window = new Window({ url: 'http://localhost/' })
  const { document, navigator, location, Element, SVGElement } = window
  const listeners = [recordListeners(window), recordListeners(document)]
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

/** Records the listeners registered on a target; returns their descriptions. */
function recordListeners(target: object): () => readonly string[] {
  const registered = new Map<string, Set<unknown>>()
  const { addEventListener, removeEventListener } = target as Target
  const of = (type: string): Set<unknown> => {
    const listeners = registered.get(type) ?? new Set()
    registered.set(type, listeners)
    return listeners
  }
  const watched: Target = {
    addEventListener(type: string, ...others: [never, never]) {
      of(type).add(others[0])
      addEventListener.call(target as EventTarget, type, ...others)
    },
    removeEventListener(type: string, ...others: [never, never]) {
      of(type).delete(others[0])
      removeEventListener.call(target as EventTarget, type, ...others)
    },
  }
  Object.assign(target, watched)
  return () => [...registered].flatMap(([type, listeners]) => [...listeners].map(() => `a listener to ${type}`))
}
