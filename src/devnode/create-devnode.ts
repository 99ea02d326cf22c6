import { createNode, openNode, type NodeParts } from './create-node.js'
import { toEngineOptions, type Devnode } from './devnode.js'
import { resolveOptions, type DevnodeOptions } from './options.js'
import { openServers } from './server/open-servers.js'
import { systemTimers } from './timers.js'
import { totalmem } from 'node:os'
import type { Machine } from './machine.js'

/**
 * Starts a network of one node; resolves when all of its servers listen. Any number may run side by side.
 * Rejects with `ChainError` (`invalid-option`) for an invalid option or a port in use.
 */
export async function createDevnode(options?: DevnodeOptions): Promise<Devnode> {
  return startDevnode(openNode(resolveOptions(options)))
}

async function startDevnode(parts: NodeParts): Promise<Devnode> {
  const { served, start } = createNode(parts, { timers: systemTimers, machine: nodeMachine })
  const servers = await openServers(parts.settings, served)
  return start(servers, (node, forkOf) => ({
    ...node,
    engineOptions: toEngineOptions(node),
    fork: async (options) => startDevnode(forkOf(options)),
  }))
}

/** The machine and process as Node measures them. */
const nodeMachine: Machine = {
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
