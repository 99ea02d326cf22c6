import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { clearInterval, setInterval } from 'node:timers'

/** Between two readings of the load, in ms. */
const INTERVAL = 5_000

/** Processor cores of this machine. */
export const CORES = availableParallelism()

/** The load of the last minute, the cores and the free memory, as text. */
export const describeMachine = () =>
  `load ${loadavg()[0].toFixed(1)} on ${CORES} cores, ${toGigabytes(freemem())} of ${toGigabytes(totalmem())} GB free`

const toGigabytes = (bytes) => (bytes / 2 ** 30).toFixed(1)

/**
 * Watches the machine from now on: its load, and how late a timer of this process runs, which is idle: the wait for a
 * core. `end` resolves to both as text.
 */
export function watchMachine() {
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  const loads = []
  const timer = setInterval(() => loads.push(loadavg()[0]), INTERVAL)
  return {
    end() {
      clearInterval(timer)
      delays.disable()
      loads.push(loadavg()[0])
      const average = loads.reduce((sum, load) => sum + load, 0) / loads.length
      const longest = `longest wait for a core ${(delays.max / 1e9).toFixed(1)} s`
      return `load ${average.toFixed(1)} on average, ${Math.max(...loads).toFixed(1)} at most, on ${CORES} cores; ${longest}`
    },
  }
}
