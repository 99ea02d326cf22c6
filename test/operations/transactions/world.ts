import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { toOutpointKey } from '../../../src/model/utxo.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { Call } from '../../../src/operations/queries/call.js'
import type { TransactionDependencies } from '../../../src/operations/transactions/dependencies.js'
import type { SdkPort } from '../../../src/sdk/port.js'

/** What a scripted node answers: a response, or a function that makes one or throws. */
export type Script = {
  readonly [M in RpcMethod]?: (request: RpcRequest<M>) => RpcResponse<M> | Promise<RpcResponse<M>>
}

export interface ScriptedWorld extends TransactionDependencies {
  /** The methods that were called, in order. */
  readonly calls: RpcMethod[]
  /** The outpoints that are held, as keys. */
  readonly held: ReadonlySet<string>
  /** Gives all coins back. */
  readonly forget: () => void
  /** What was told to be replaced, and by what. */
  readonly replacements: Map<string, string>
  /** Why what was told to be refused was. */
  readonly rejections: Map<string, ChainRpcError>
  /** The pauses that were taken, ms. */
  readonly pauses: number[]
}

export const bucket = (feerate: number): { feerate: number; estimatedSeconds: number } => ({
  feerate,
  estimatedSeconds: 1,
})

/** What a simnet node tells of itself. */
export const SERVER: RpcResponse<'getServerInfo'> = {
  rpcApiVersion: 1,
  rpcApiRevision: 0,
  serverVersion: '2.1.0',
  networkId: 'simnet',
  hasUtxoIndex: true,
  isSynced: true,
  virtualDaaScore: 2000n,
}

/** A simnet node at peace. */
const PEACE: Script = {
  getFeeEstimate: () => ({
    estimate: { priorityBucket: bucket(100), normalBuckets: [bucket(100)], lowBuckets: [bucket(100)] },
  }),
  getServerInfo: () => SERVER,
  getSink: () => ({ sink: 'aa'.repeat(32) }),
}

/** The world around the operations, at its ports: a node that answers by `script`, reservations that never lapse, no clock. */
export function createWorld(sdk: SdkPort | (() => SdkPort), script: Script = {}): ScriptedWorld {
  const calls: RpcMethod[] = []
  const holdings = new Set<ReadonlySet<string>>()
  const pauses: number[] = []
  const replacements = new Map<string, string>()
  const rejections = new Map<string, ChainRpcError>()
  const answers: Script = { ...PEACE, ...script }
  const call: Call = async (method, request) => {
    calls.push(method)
    const answer = answers[method]
    if (answer === undefined) throw new ChainRpcError(method, new Error('No connection'), { code: 'not-connected' })
    return answer(request)
  }
  return {
    calls,
    get held() {
      return new Set([...holdings].flatMap((keys) => [...keys]))
    },
    forget: () => holdings.clear(),
    pauses,
    replacements,
    rejections,
    rejected: (transactionId, error) => {
      rejections.set(transactionId, error)
    },
    replaced: (transactionId, by) => {
      replacements.set(transactionId, by)
    },
    call,
    network: () => 'simnet',
    sdk: () => (typeof sdk === 'function' ? sdk() : sdk),
    reservations: {
      isReserved: (outpoint) => [...holdings].some((keys) => keys.has(toOutpointKey(outpoint))),
      reserve: (outpoints) => {
        const keys = new Set(outpoints.map(toOutpointKey))
        holdings.add(keys)
        return () => void holdings.delete(keys)
      },
    },
    whenConnected: () => Promise.resolve(),
    pause: (ms) => {
      pauses.push(ms)
      return Promise.resolve()
    },
  }
}

/** What a node answers that refuses. */
export function refusing(method: RpcMethod, words: string): () => never {
  return () => {
    throw new ChainRpcError(method, new Error(words), { code: 'remote' })
  }
}

/** What becomes of a call whose connection is lost before the answer. */
export function losing(method: RpcMethod): () => never {
  return () => {
    throw new ChainRpcError(method, new Error('The connection was lost'), { code: 'connection-lost' })
  }
}
