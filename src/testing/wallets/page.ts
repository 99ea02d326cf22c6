import { asyncScheduler, distinctUntilChanged, fromEventPattern, map, startWith, type SchedulerLike } from 'rxjs'
import { createPageWallets } from '../../wallets/page-wallets.js'
import type { WalletsPort } from '../../wallets/port.js'

/** The part of `window` that an extension's script uses. */
export interface PageWindow {
  readonly document: {
    readonly readyState: string
    readonly visibilityState: string
    addEventListener(type: string, listener: () => void): void
  }
  readonly location: { readonly origin: string; readonly host: string }
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
  dispatchEvent(event: Event): boolean
  postMessage(message: unknown, targetOrigin: string): void
}

/** `window`, or a loaded and visible test page if there is none. */
export const currentPage = (): PageWindow => (typeof window === 'undefined' ? createTestPage() : window)

/** When an extension's script runs in a page: at once, after parsing, or after so many ms. */
export type Injection = 'now' | 'parsed' | { readonly after: number }

export function injectInto({ document }: PageWindow, injection: Injection, run: () => void): void {
  if (typeof injection === 'object') setTimeout(run, injection.after)
  else if (injection === 'now' || document.readyState !== 'loading') run()
  else document.addEventListener('DOMContentLoaded', run)
}

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

/**
 * The wallets of a test page for an app's `ports.wallets`: needs no `window` and isolates tests. `scheduler` runs all
 * timers.
 */
export function createTestWallets(page: TestPage, scheduler: SchedulerLike = asyncScheduler): WalletsPort {
  const visibilityChange$ = fromEventPattern(
    (handler: () => void) => page.document.addEventListener('visibilitychange', handler),
    (handler: () => void) => page.document.removeEventListener('visibilitychange', handler),
  )
  const visible$ = visibilityChange$.pipe(
    startWith(undefined),
    map(() => page.document.visibilityState === 'visible'),
    distinctUntilChanged(),
  )
  return createPageWallets({ scheduler, visible$, storage: null, random: () => Math.random() }, page)
}

/**
 * The announcement drafts, and Ethereum's standard. The drafts are not final; all differ in the event's name and in the
 * fields of `info`.
 */
export type AnnouncementStandard = 'KIP-12' | 'KCC-12' | 'EIP-6963'

/** A wallet's announced identity. */
export interface AnnouncedInfo {
  /** Unique per page load. */
  readonly uuid: string
  readonly name: string
  /** A `data:` URI. */
  readonly icon: string
  /** The vendor's domain in reverse order. */
  readonly rdns: string
}

const EVENTS = {
  'KIP-12': 'kaspa:provider',
  'KCC-12': 'kaspa:announceProvider',
  'EIP-6963': 'eip6963:announceProvider',
} as const

/** Announces a provider now and on every request. */
export function announce(
  page: PageWindow,
  standard: AnnouncementStandard,
  info: AnnouncedInfo,
  provider: object,
): void {
  const announcedInfo = standard === 'KIP-12' ? { id: info.rdns, methods: ['kaspa:requestAccounts'], ...info } : info
  const detail = Object.freeze({ info: Object.freeze(announcedInfo), provider })
  const dispatch = (): void => {
    page.dispatchEvent(new CustomEvent(EVENTS[standard], { detail }))
  }
  page.addEventListener(standard === 'EIP-6963' ? 'eip6963:requestProvider' : 'kaspa:requestProvider', dispatch)
  dispatch()
}
