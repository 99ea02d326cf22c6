import type { PageWindow } from '../page.js'
import { tooManyCalls } from './errors.js'

/** Carries a call to the extension. Calls of one `turn` were made in one go. */
export type Carry = (method: string, params: readonly unknown[], turn: number) => Promise<unknown>

export type Call = (method: string, params: readonly unknown[]) => Promise<unknown>

const LIMIT = 500

/**
 * The part of KasWare that runs in the page: it lets through what JSON can say, while the page is seen, and 500 calls at
 * a time. A call that is never answered keeps its place.
 */
export function createPageScript({ document }: PageWindow, carry: Carry): Call {
  let unanswered = 0
  let turn = 0
  const waiting: (() => void)[] = []
  const flush = (): void => {
    // What JSON cannot say throws here: in a page that is shown again into the void, and what waits behind goes on waiting
    while (document.visibilityState === 'visible' && waiting.length > 0) waiting.shift()?.()
  }
  document.addEventListener('visibilitychange', flush)

  return async (method, params) => {
    if (unanswered >= LIMIT) throw tooManyCalls()
    unanswered++
    const mine = turn
    queueMicrotask(() => (turn = mine + 1))
    try {
      return await new Promise((resolve, reject) => {
        waiting.push(() => {
          carry(method, JSON.parse(JSON.stringify(params)) as unknown[], mine).then(resolve, reject)
        })
        flush()
      })
    } finally {
      unanswered--
    }
  }
}
