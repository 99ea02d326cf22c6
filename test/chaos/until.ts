import { pause } from './pause.js'

/** The first and the longest interval between two checks, ms. */
const [FIRST_INTERVAL, LONGEST_INTERVAL] = [5, 50]

/** The part of the time that the checks take, at most: what remains is for a client of the same thread. */
const LONGEST_PART = 0.1

/** Polls a condition, ever more seldom; resolves to false after `deadline` ms. */
export async function until(isSo: () => boolean, deadline: number): Promise<boolean> {
  const end = Date.now() + deadline
  let interval = FIRST_INTERVAL
  for (;;) {
    const start = performance.now()
    if (isSo()) return true
    if (Date.now() > end) return false
    await pause(Math.max(interval, (performance.now() - start) / LONGEST_PART))
    interval = Math.min(LONGEST_INTERVAL, interval * 1.5)
  }
}
