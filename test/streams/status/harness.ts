import { EMPTY, NEVER, defer, map, of, throwError, timer, type Observable } from 'rxjs'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { SOMPI_PER_KASPA } from '../../../src/model/amount.js'
import type { RpcMempoolEntry, RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { NodeLink } from '../../../src/streams/session/node-link.js'
import { findAcceptingBlock$ } from '../../../src/streams/status/find-accepting-block.js'
import type { TransactionStatusDeps } from '../../../src/streams/status/transaction-status.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'

export const ID = 'ab'.repeat(32)
export const BLOCK = 'cd'.repeat(32)

export type Responses = {
  readonly [M in RpcMethod]?: ((request: RpcRequest<M>) => Observable<RpcResponse<M>>) | undefined
}

/** The response for an unknown transaction. */
export const notFound: Observable<never> = throwError(
  () => new ChainRpcError('getMempoolEntry', new Error(`Transaction ${ID} not found`), { code: 'remote' }),
)

/** Calls with scripted responses; other methods are refused. Records the called methods. */
export function scriptedCall(responses: Responses): {
  readonly call: NodeLink['call']
  readonly calledMethods: RpcMethod[]
} {
  const calledMethods: RpcMethod[] = []
  const call: NodeLink['call'] = (method, request) =>
    defer(() => {
      calledMethods.push(method)
      const refusal = new ChainRpcError(method, new Error('not here'), { code: 'remote' })
      return responses[method]?.(request) ?? throwError(() => refusal)
    })
  return { call, calledMethods }
}

/** Ends every test, in ms: reads repeat, so virtual time would never end. */
const DURATION = 70_000

export interface Harness extends TransactionStatusDeps {
  readonly platform: TestPlatform
  readonly calledMethods: RpcMethod[]
}

/** The dependencies of a followed transaction in virtual time; omitted streams never emit. */
export function createFollowDeps(
  scheduler: Parameters<typeof createTestPlatform>[0]['scheduler'],
  responses: Responses,
  streams: Partial<TransactionStatusDeps> = {},
): Harness {
  return {
    ...scriptedCall(responses),
    connected$: of(true),
    isSynced$: of(true),
    changes$: NEVER,
    events$: () => NEVER,
    sinkBlueScore$: NEVER,
    rejections$: EMPTY,
    replacements$: EMPTY,
    chains: () => [],
    findAcceptingBlock: findAcceptingBlock$,
    isSpent: () => EMPTY,
    onFollow: () => undefined,
    ended$: timer(DURATION, scheduler).pipe(map(() => undefined)),
    ...streams,
    platform: createTestPlatform({ scheduler }),
  }
}

/** A mempool entry that spends the first output of `spends`. */
export const entryOf = (transactionId: string, spends: string): RpcMempoolEntry =>
  fixtures.mempoolEntry({
    transaction: fixtures.transaction({
      spends: [fixtures.utxo({ outpoint: { transactionId: spends, index: 0 }, amount: 10n * SOMPI_PER_KASPA })],
      verboseData: { transactionId },
    }),
  })

export const inMempool =
  (transactionId = ID) =>
  (): Observable<RpcResponse<'getMempoolEntry'>> =>
    of({ mempoolEntry: entryOf(transactionId, 'ee'.repeat(32)) })
