const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** The ms between an attempt and the next one; after the last one its value again. */
const DELAYS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR] as const

/** How long, in ms, a delivery is attempted after its event. */
const LIMIT = 72 * HOUR

/**
 * When the next attempt is due after `attempts` of them, in Unix ms; null where the event is so old that there is none.
 */
export function nextAttemptAt(attempts: number, eventAt: number, now: number): number | null {
  const delay = DELAYS[Math.min(attempts, DELAYS.length) - 1] ?? DELAYS[0]
  return now + delay - eventAt > LIMIT ? null : now + delay
}
