import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { createSentIds } from '../../../src/model/bounded-collections.js'
import type { UnconfirmedInput } from '../../../src/model/unconfirmed-transaction.js'
import { toOutpointKey } from '../../../src/model/utxo.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { Call } from '../../../src/operations/queries/call.js'
import type { TransactionDependencies } from '../../../src/operations/transactions/transaction-operations.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'

/** Responses of a scripted node: functions that return one or throw. */
export type Script = {
  readonly [M in RpcMethod]?: (request: RpcRequest<M>) => RpcResponse<M> | Promise<RpcResponse<M>>
}

export interface ScriptedDependencies extends TransactionDependencies {
  /** The methods that were called, in order. */
  readonly calls: RpcMethod[]
  /** Keys of the reserved outpoints. */
  readonly reserved: ReadonlySet<string>
  /** Releases all reservations. */
  readonly releaseAll: () => void
  /** Replacements reported by `onReplaced`. */
  readonly replacements: Map<string, string>
  /** Errors reported by `onRejected`. */
  readonly rejections: Map<string, ChainRpcError>
  /** Change addresses reported by `rememberChange`, by transaction id. */
  readonly changes: Map<string, string>
  /** Messages of the logger with their fields. */
  readonly warnings: [message: string, fields: object | undefined][]
  /** Requested pauses, ms. */
  readonly pauses: number[]
}

export const bucket = (feerate: number): { feerate: number; estimatedSeconds: number } => ({
  feerate,
  estimatedSeconds: 1,
})

/** Responses of an idle simnet node. */
const DEFAULTS: Script = {
  getFeeEstimate: () => ({
    estimate: { priorityBucket: bucket(100), normalBuckets: [bucket(100)], lowBuckets: [bucket(100)] },
  }),
  getServerInfo: () => fixtures.serverInfo({ virtualDaaScore: 2_000n }),
  getSink: () => ({ sink: 'aa'.repeat(32) }),
}

/** Dependencies with a node that responds by `script`, reservations that never expire, and no clock. */
export function createScriptedDependencies(sdk: SdkPort | (() => SdkPort), script: Script = {}): ScriptedDependencies {
  const calls: RpcMethod[] = []
  const reservations = new Set<readonly UnconfirmedInput[]>()
  const pauses: number[] = []
  const warnings: ScriptedDependencies['warnings'] = []
  const replacements = new Map<string, string>()
  const changes = new Map<string, string>()
  const rejections = new Map<string, ChainRpcError>()
  const responses: Script = { ...DEFAULTS, ...script }
  const call: Call = async (method, request) => {
    calls.push(method)
    const respond = responses[method]
    if (respond === undefined) throw new ChainRpcError(method, new Error('No connection'), { code: 'not-connected' })
    return respond(request)
  }
  return {
    calls,
    get reserved() {
      return new Set([...reservations].flatMap((outpoints) => outpoints.map(({ outpoint }) => toOutpointKey(outpoint))))
    },
    releaseAll: () => reservations.clear(),
    pauses,
    warnings,
    logger: { warn: (message, fields) => void warnings.push([message, fields]) },
    replacements,
    rejections,
    onRejected: (transactionId, error) => {
      rejections.set(transactionId, error)
    },
    onReplaced: (transactionId, by) => {
      replacements.set(transactionId, by)
    },
    changes,
    rememberChange: (transactionId, address) => void changes.set(transactionId, address),
    keyPathOf: () => undefined,
    signedAmounts: undefined,
    call,
    sentIds: createSentIds(),
    network: () => 'simnet',
    sdk: () => (typeof sdk === 'function' ? sdk() : sdk),
    reservations: {
      reserved: () => [...reservations].flatMap((outpoints) => outpoints),
      reserve: ({ inputs }) => {
        const reserved = [...inputs]
        reservations.add(reserved)
        return () => void reservations.delete(reserved)
      },
    },
    whenConnected: () => Promise.resolve(),
    now: () => pauses.reduce((sum, ms) => sum + ms, 0),
    pause: (ms) => {
      pauses.push(ms)
      return Promise.resolve()
    },
  }
}

/** A response that rejects the call. */
export function remoteRejection(method: RpcMethod, message: string): () => never {
  return () => {
    throw new ChainRpcError(method, new Error(message), { code: 'remote' })
  }
}

/** A response lost with the connection. */
export function connectionLost(method: RpcMethod): () => never {
  return () => {
    throw new ChainRpcError(method, new Error('The connection was lost'), { code: 'connection-lost' })
  }
}
