import { totalmem } from 'node:os'
import type { Machine } from './machine.js'

/** The machine and process as Node measures them. */
export const nodeMachine: Machine = {
  totalMemory: totalmem,
  process() {
    const { rss, heapTotal, external } = process.memoryUsage()
    return { residentSetSize: rss, virtualMemorySize: heapTotal + external, cpuUsage: cpuUsage() }
  },
}

const cpuUsage = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 / process.uptime()
}
