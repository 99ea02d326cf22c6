import { createChainEngine, type ChainEngine } from '../../engine/engine.js'
import type { ChainEngineOptions } from '../../engine/options.js'
import type { ChainNetwork } from '../../model/network.js'
import { light } from '../../sdk/light/light.js'

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
