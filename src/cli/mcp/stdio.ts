import { once } from 'node:events'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { EngineFlags } from '../engine-flags.js'
import { createChain } from './chain.js'
import { createDevnodeOfProcess } from './devnode-of-process.js'
import { readDocumentation } from './documentation.js'
import { serve } from './server.js'

/** Serves the tools on standard input and output until the client closes them, or `interrupted` resolves. */
export async function serveStdio({ engine, timeout }: EngineFlags, interrupted: Promise<void>): Promise<void> {
  const chain = createChain(engine, timeout)
  const devnode = createDevnodeOfProcess(timeout)
  const transport = new StdioServerTransport()
  const closed = [once(process.stdin, 'close'), once(process.stdout, 'error')] // either of them ends the client
  await serve(transport, { documentation: readDocumentation(), chain, devnode })
  await Promise.race([...closed, interrupted])
  await transport.close()
  await devnode.stop()
  await chain.close()
}
