/**
 * Runs jobs in their order, as many at a time as fit: each takes its number of `processes`, those that compute at the
 * same time, 1 by default, of `capacity`; one that takes more runs alone. A job begins when all jobs that it names in
 * `after` have succeeded, and never beside one that it names in `apart`, nor beside one that names it. `run` resolves
 * to whether its job succeeded. Resolves to the jobs that did not begin, because one before them failed.
 */
export async function schedule(jobs, capacity, run) {
  const waiting = [...jobs]
  const running = new Map()
  const succeeded = new Set()

  const isApart = (job, other) => job.apart?.includes(other.name) === true || other.apart?.includes(job.name) === true
  const fits = ({ processes = 1 }) => {
    const taken = [...running.keys()].reduce((sum, job) => sum + (job.processes ?? 1), 0)
    return running.size === 0 || taken + processes <= capacity
  }
  const canBegin = (job) =>
    fits(job) &&
    (job.after ?? []).every((name) => succeeded.has(name)) &&
    ![...running.keys()].some((other) => isApart(job, other))
  const begin = async (job) => {
    if (await run(job)) succeeded.add(job.name)
    running.delete(job)
  }

  for (;;) {
    for (let next = waiting.findIndex(canBegin); next >= 0; next = waiting.findIndex(canBegin)) {
      const [job] = waiting.splice(next, 1)
      running.set(job, undefined)
      running.set(job, begin(job))
    }
    if (running.size === 0) return waiting
    await Promise.race(running.values())
  }
}
