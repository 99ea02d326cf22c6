/**
 * Runs jobs in their order, as many at a time as fit: each takes its number of `cores`, 1 by default, of `capacity`. A job begins
 * when all jobs that it names in `after` have succeeded. `run` resolves to whether its job succeeded. Resolves to the jobs that
 * did not begin, because one before them failed.
 */
export async function schedule(jobs, capacity, run) {
  const waiting = [...jobs]
  const running = new Set()
  const succeeded = new Set()
  let free = capacity

  const canBegin = ({ cores = 1, after = [] }) => cores <= free && after.every((name) => succeeded.has(name))
  const begin = async (job) => {
    const { name, cores = 1 } = job
    free -= cores
    if (await run(job)) succeeded.add(name)
    free += cores
  }

  for (;;) {
    for (let next = waiting.findIndex(canBegin); next >= 0; next = waiting.findIndex(canBegin)) {
      const [job] = waiting.splice(next, 1)
      const ended = begin(job).finally(() => running.delete(ended))
      running.add(ended)
    }
    if (running.size === 0) return waiting
    await Promise.race(running)
  }
}
