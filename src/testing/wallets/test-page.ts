import type { PageWindow } from './page.js'

export interface TestPageState {
  /** @default 'complete' */
  readonly readyState: 'loading' | 'interactive' | 'complete'
  /** @default 'visible' */
  readonly visibilityState: 'visible' | 'hidden'
}

/** A page of which there is only what extensions touch, for tests without a DOM. */
export interface TestPage extends PageWindow {
  readonly document: PageWindow['document'] & { removeEventListener(type: string, listener: () => void): void }
  /** Goes on loading, is hidden or shown; fires what a browser would. */
  become(change: Partial<TestPageState>): void
}

/** Makes one, loaded and visible unless said otherwise. Messages that are posted to it come back to it, as in a page. */
export function createTestPage(initial: Partial<TestPageState> = {}): TestPage {
  let state: TestPageState = { readyState: 'complete', visibilityState: 'visible', ...initial }
  const [page, document] = [new EventTarget(), new EventTarget()]
  const fire = (target: EventTarget, type: string): boolean => target.dispatchEvent(new Event(type))
  return {
    document: {
      get readyState() {
        return state.readyState
      },
      get visibilityState() {
        return state.visibilityState
      },
      addEventListener: (type, listener) => document.addEventListener(type, listener),
      removeEventListener: (type, listener) => document.removeEventListener(type, listener),
    },
    location: { origin: 'http://localhost', host: 'localhost' },
    addEventListener: (type, listener) => page.addEventListener(type, listener),
    removeEventListener: (type, listener) => page.removeEventListener(type, listener),
    dispatchEvent: (event) => page.dispatchEvent(event),
    postMessage: (message) => {
      const data: unknown = structuredClone(message)
      setTimeout(() => page.dispatchEvent(new MessageEvent('message', { data })))
    },
    become: (change) => {
      const before = state
      state = { ...state, ...change }
      if (state.visibilityState !== before.visibilityState) fire(document, 'visibilitychange')
      if (state.readyState === before.readyState) return
      if (state.readyState === 'interactive') fire(document, 'DOMContentLoaded')
      if (state.readyState === 'complete') fire(page, 'load')
    },
  }
}
