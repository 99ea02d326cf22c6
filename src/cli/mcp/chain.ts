import { createChainEngine, type ChainEngine } from '../../engine/engine.js'
import type { ChainEngineOptions } from '../../engine/options.js'
import type { ChainNetwork } from '../../model/network.js'
import { light } from '../../sdk/light/light.js'
import { createControl } from '../../devnode/control/control.js'
import { createDevnode } from '../../devnode/create-devnode.js'
import type { Devnode, DevnodeOptions } from '../../devnode/devnode.js'
import { invalidArgument } from '../../errors/chain-error.js'

/** A connection to one node and its indexer, which is opened by the first query. */
export interface Chain {
  readonly network: ChainNetwork
  /** The connected engine. Rejects with `ChainRpcError` where no node responds. */
  connected(): Promise<ChainEngine>
  /** The engine, connected or not. */
  engine(): ChainEngine
  close(): Promise<void>
}

/** `timeout` bounds an attempt to connect and each call, ms. */
export function createChain(options: ChainEngineOptions, timeout: number): Chain {
  let opened: ChainEngine | undefined
  const engine = (): ChainEngine =>
    (opened ??= createChainEngine({
      ...options,
      sdk: light,
      connectTimeout: timeout,
      requestTimeout: timeout,
      reconnect: false, // the next query connects again
    }))
  return {
    network: options.network ?? 'mainnet',
    engine,
    connected: async () => {
      await engine().connection.connect()
      return engine()
    },
    close: async () => opened?.dispose(),
  }
}

/** The one devnode that this process may run. Nothing else can be changed by a tool. */
export interface DevnodeOfProcess {
  /** Starts it on free ports of loopback. Rejects with `ChainError` where it runs already. */
  start(options: Pick<DevnodeOptions, 'accounts' | 'balance' | 'blockInterval' | 'seed'>): Promise<Devnode>
  /** Calls its control interface; the parsed response. Rejects with `ChainError` where it refuses. */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>
  /** The running devnode. Throws `ChainError` where there is none. */
  running(): Devnode
  /** A connection to it, for queries. */
  chain(): Chain
  /** Safe to call without one. */
  stop(): Promise<void>
}

export function createDevnodeOfProcess(timeout: number): DevnodeOfProcess {
  let started: { readonly devnode: Devnode; readonly chain: Chain } | undefined
  let isStarting = false
  const current = () => {
    if (started !== undefined) return started
    throw invalidArgument('devnode', 'This process runs no devnode', 'Call devnode_start first.')
  }
  return {
    async start(options) {
      if (started !== undefined || isStarting)
        throw invalidArgument('devnode', 'This process runs a devnode already', 'Call devnode_stop first.')
      isStarting = true
      try {
        const devnode = await createDevnode(options)
        started = { devnode, chain: createChain(devnode.engineOptions, timeout) }
        return devnode
      } finally {
        isStarting = false
      }
    },
    control: (method, path, body = {}) => call(current().devnode, method, path, body),
    running: () => current().devnode,
    chain: () => current().chain,
    async stop() {
      const ended = started
      started = undefined
      await ended?.chain.close()
      await ended?.devnode.close()
    },
  }
}

async function call(devnode: Devnode, method: string, path: string, body: object): Promise<unknown> {
  const { status, body: text = '{}' } = await createControl(devnode)({
    method,
    path,
    query: new URLSearchParams(),
    headers: {},
    body: JSON.stringify(body),
  })
  const response: unknown = JSON.parse(text)
  if (status === 200) return response
  const { message, argument, hint } = (response as { readonly error: Refusal }).error // the interface's own form
  throw invalidArgument(argument ?? 'devnode', message, hint)
}

interface Refusal {
  readonly message: string
  readonly argument?: string
  readonly hint?: string
}
