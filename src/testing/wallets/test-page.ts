import type { PageWindow } from './page-window.js'

export interface TestPageState {
  /** @default 'complete' */
  readonly readyState: 'loading' | 'interactive' | 'complete'
  /** @default 'visible' */
  readonly visibilityState: 'visible' | 'hidden'
}

/** A minimal page for tests without a DOM. */
export interface TestPage extends PageWindow {
  readonly document: PageWindow['document'] & { removeEventListener(type: string, listener: () => void): void }
  /** Changes the state and dispatches the browser's events for it. */
  setState(change: Partial<TestPageState>): void
}

/** Creates a page, loaded and visible by default. Posted messages are dispatched to the same page. */
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
    setState: (change) => {
      const before = state
      state = { ...state, ...change }
      if (state.visibilityState !== before.visibilityState) fire(document, 'visibilitychange')
      if (state.readyState === before.readyState) return
      if (state.readyState === 'interactive') fire(document, 'DOMContentLoaded')
      if (state.readyState === 'complete') fire(page, 'load')
    },
  }
}
