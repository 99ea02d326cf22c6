import { pause } from './pause.js'

/** The first and the longest interval between two checks, ms. */
const [FIRST_INTERVAL, LONGEST_INTERVAL] = [5, 50]

/** Polls a condition, ever more seldom; resolves to false after `deadline` ms. */
export async function until(isSo: () => boolean, deadline: number): Promise<boolean> {
  const end = Date.now() + deadline
  for (let interval = FIRST_INTERVAL; !isSo(); interval = Math.min(LONGEST_INTERVAL, interval * 1.5)) {
    if (Date.now() > end) return false
    await pause(interval)
  }
  return true
}
