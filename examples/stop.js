// Ends a program in an orderly way at SIGTERM and SIGINT: what runs gets a moment to finish.

/** Ms that the work in hand may take. What is stored at any instant is enough to continue from. */
const GRACE = 3_000

/**
 * A signal that aborts when the program should end. `end()` then releases what the program holds, and the process exits
 * with 0.
 */
export function untilStopped(end) {
  const stopped = new AbortController()
  const stop = async () => {
    if (stopped.signal.aborted) return
    stopped.abort()
    setTimeout(() => process.exit(0), GRACE)
    await end().catch((error) => console.error(String(error)))
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop())
  return stopped.signal
}
