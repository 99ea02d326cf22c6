import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { onTestFinished } from 'vitest'
import { createChain, createDevnodeOfProcess } from '../../../src/cli/mcp/chain.js'
import { readDocumentation } from '../../../src/cli/mcp/documentation.js'
import { serve } from '../../../src/cli/mcp/stdio.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'

/** What a tool returned, parsed. */
export interface ToolResponse {
  readonly result?: unknown
  readonly untrusted?: string
  readonly isError: boolean
  /** The whole response as it was sent. */
  readonly text: string
}

const documentation = readDocumentation()

/** The SDK's client on the server, in this process; both end with the test. */
export async function connectClient(engine: ChainEngineOptions = { network: 'simnet', url: 'ws://127.0.0.1:9' }) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const chain = createChain(engine, 5_000)
  const devnode = createDevnodeOfProcess(5_000)
  await serve(ours, { documentation, chain, devnode })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(theirs)
  onTestFinished(async () => {
    await client.close()
    await devnode.stop()
    await chain.close()
  })
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<ToolResponse> => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    const [{ text = '' } = {}] = content as readonly { readonly text?: string }[]
    return { ...(JSON.parse(text) as object), isError: isError === true, text }
  }
  return { client, call, devnode }
}
