import { pause } from './pause.js'

/** Interval between two checks, ms. */
const POLL_INTERVAL = 5

/** Polls a condition; resolves to false after `deadline` ms. */
export async function until(isSo: () => boolean, deadline: number): Promise<boolean> {
  const end = Date.now() + deadline
  while (!isSo()) {
    if (Date.now() > end) return false
    await pause(POLL_INTERVAL)
  }
  return true
}
