import { expect, it } from 'vitest'
import { jobsOf } from '../../scripts/test/jobs.mjs'
import { schedule, type Job } from '../../scripts/test/schedule.mjs'

interface TimedJob extends Job {
  /** Length in turns. */
  readonly turns?: number
}

/** Runs jobs, each for its number of turns; what was running in each turn, and the jobs that did not begin. */
async function play(jobs: readonly TimedJob[], capacity: number, fails: readonly string[] = []) {
  const running = new Map<string, { turns: number; end: () => void }>()
  const left = schedule(jobs, capacity, async ({ name, turns = 1 }) => {
    await new Promise<void>((end) => running.set(name, { turns, end }))
    return !fails.includes(name)
  })
  const turns: string[] = []
  for (let idle = 0; idle < 20; idle++) {
    await Promise.resolve()
    if (idle < 19) continue
    if (running.size === 0) break
    turns.push([...running.keys()].join(' '))
    for (const [name, job] of running) if (--job.turns === 0 && running.delete(name)) job.end()
    idle = -1
  }
  return { turns, left: (await left).map(({ name }) => name) }
}

it('begins jobs in their order, each where one has ended', async () => {
  const { turns } = await play([{ name: 'a', turns: 3 }, { name: 'b' }, { name: 'c' }, { name: 'd', turns: 2 }], 2)
  expect(turns).toEqual(['a b', 'a c', 'a d', 'd'])
})

it('runs as many jobs at a time as their processes fit', async () => {
  const { turns } = await play(
    [{ name: 'a', processes: 2, turns: 2 }, { name: 'b', processes: 2 }, { name: 'c' }, { name: 'd' }],
    3,
  )
  expect(turns).toEqual(['a c', 'a d', 'b'])
})

it('begins a job after those that it needs, and others before it', async () => {
  const { turns } = await play([{ name: 'a', turns: 2 }, { name: 'b', after: ['a'] }, { name: 'c' }], 2)
  expect(turns).toEqual(['a c', 'a', 'b'])
})

it('resolves to the jobs that did not begin because one before them failed', async () => {
  const jobs = [{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c', after: ['b'] }, { name: 'd' }]
  expect(await play(jobs, 1, ['a'])).toEqual({ turns: ['a', 'd'], left: ['b', 'c'] })
})

it('runs a job that takes more than there is alone', async () => {
  const { turns, left } = await play([{ name: 'a' }, { name: 'b', processes: 3 }, { name: 'c' }, { name: 'd' }], 2)
  expect({ turns, left }).toEqual({ turns: ['a c', 'b', 'd'], left: [] })
})

it('runs one job after the other where one process at a time may run', async () => {
  const { turns } = await play([{ name: 'a', processes: 2 }, { name: 'b' }, { name: 'c', processes: 2 }], 1)
  expect(turns).toEqual(['a', 'b', 'c'])
})

it('runs jobs apart where either names the other', async () => {
  const jobs = [{ name: 'a', apart: ['b'], turns: 2 }, { name: 'b' }, { name: 'c' }, { name: 'd', apart: ['b'] }]
  expect((await play(jobs, 4)).turns).toEqual(['a c d', 'a', 'b'])
})

const withoutSpaces = (name: string): string => name.replaceAll(' ', '-')

// A page of the demo that loads in 1 s alone needs 21 to 77 s where 30 to 40 processes share two cores.
it.each([1, 2, 3, 4, 5, 9])(
  'runs the jobs of npm test, %i processes at a time, no browser tests beside installs',
  async (capacity) => {
    const jobs = jobsOf(false).map(({ name, after = [], apart = [], processes = 1 }, index) => ({
      name: withoutSpaces(name),
      after: after.map(withoutSpaces),
      apart: apart.map(withoutSpaces),
      processes,
      turns: 1 + (index % 4),
    }))
    const { turns, left } = await play(jobs, capacity)
    expect(left).toEqual([])
    for (const running of turns.map((turn) => turn.split(' '))) {
      const processes = jobs.filter(({ name }) => running.includes(name)).map((job) => job.processes)
      if (running.length > 1) expect(processes.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(capacity)
      expect(running).not.toEqual(expect.arrayContaining(['browser-tests', 'packaging-tests']))
    }
  },
)
