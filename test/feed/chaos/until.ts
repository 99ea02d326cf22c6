import { POLL_LIMIT } from '../../limits.js'

/** Repeats a check until it holds; rejects where that takes longer than the limit of a poll. */
export async function until(check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + POLL_LIMIT
  for (;;) {
    if (await check().catch(() => false)) return // a server may be starting
    if (performance.now() > end) throw new Error('The state was not reached')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
