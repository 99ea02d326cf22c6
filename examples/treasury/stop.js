// Ends a program in an orderly way at SIGTERM and SIGINT: what runs gets a moment to finish.

/** Ms that the work in hand may take. What is stored at any instant is enough to continue from. */
const GRACE = 3_000

/**
 * Runs `work({ signal })` until it rejects, or until the program should end and its signal has ended it. Then `end()`
 * releases what the program holds. The process exits with 1 where the work has failed by itself, else with 0.
 */
export async function runUntilStopped(work, end) {
  const stopped = new AbortController()
  const stop = () => {
    stopped.abort()
    setTimeout(() => process.exit(), GRACE)
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stop)
  try {
    await work({ signal: stopped.signal })
  } catch (error) {
    if (!stopped.signal.aborted) {
      console.error(String(error)) // a gap in the history, for example: see the guide
      process.exitCode = 1
      stop()
    }
  }
  await end().catch((error) => console.error(String(error)))
  process.exit()
}
