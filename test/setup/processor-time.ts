import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'

/** A line for each test file is appended to this file: its processor time, that of its processes, and its path. */
const REPORT = process.env.VUE_CHAIN_PROCESSOR_TIME

/** Of this process since its start, s. */
function readOwn(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Of the processes that this one started and that have ended, s; 0 where the system does not list it. */
function readStarted(): number {
  if (!existsSync('/proc/self/stat')) return 0
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100 // cutime and cstime, in ticks
}

if (REPORT !== undefined) {
  const [own, started] = [readOwn(), readStarted()]
  afterAll(() => {
    const path = relative(process.cwd(), expect.getState().testPath ?? '')
    const times = [readOwn() - own, readStarted() - started].map((time) => time.toFixed(1).padStart(6))
    appendFileSync(REPORT, `${times.join(' ')} ${path}\n`)
  })
}
