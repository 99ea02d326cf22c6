import { EMPTY, NEVER, defer, map, of, throwError, timer, type Observable } from 'rxjs'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import type { NodeLink } from '../../../src/streams/session/node-link.js'
import type { FollowDeps } from '../../../src/streams/status/follow-transaction.js'
import { lookBack$ } from '../../../src/streams/status/look-back.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'

export const ID = 'ab'.repeat(32)
export const BLOCK = 'cd'.repeat(32)

export type Answers = {
  readonly [M in RpcMethod]?: ((request: RpcRequest<M>) => Observable<RpcResponse<M>>) | undefined
}

/** The node's word for what it has not. */
export const absence: Observable<never> = throwError(
  () => new ChainRpcError('getMempoolEntry', new Error(`Transaction ${ID} not found`), { code: 'remote' }),
)

/** A way to call that answers from a script, and refuses the rest; it remembers what it was asked. */
export function scriptedCall(answers: Answers): { readonly call: NodeLink['call']; readonly asked: RpcMethod[] } {
  const asked: RpcMethod[] = []
  const call: NodeLink['call'] = (method, request) =>
    defer(() => {
      asked.push(method)
      const refusal = new ChainRpcError(method, new Error('not here'), { code: 'remote' })
      return answers[method]?.(request) ?? throwError(() => refusal)
    })
  return { call, asked }
}

/** How long, in ms, anything is followed in these tests: looks are repeated, so virtual time would never end. */
const LIFE = 70_000

export interface Scene extends FollowDeps, Pick<NodeLink, 'ended$'> {
  readonly platform: TestPlatform
  readonly asked: RpcMethod[]
}

/** What a transaction is followed by, in virtual time; whatever a test does not write stays silent. */
export function createFollowDeps(
  scheduler: Parameters<typeof createTestPlatform>[0]['scheduler'],
  answers: Answers,
  streams: Partial<FollowDeps & Pick<NodeLink, 'ended$'>> = {},
): Scene {
  return {
    ...scriptedCall(answers),
    connected$: of(true),
    changes$: NEVER,
    sinkBlueScore$: NEVER,
    rejections$: EMPTY,
    replacements$: EMPTY,
    chains: () => [],
    lookBack: lookBack$,
    ended$: timer(LIFE, scheduler).pipe(map(() => undefined)),
    ...streams,
    platform: createTestPlatform({ scheduler }),
  }
}

type Entry = RpcResponse<'getMempoolEntry'>['mempoolEntry']

/** An entry of the mempool that spends the first output of `spends`. */
export const entryOf = (transactionId: string, spends: string): Entry => ({
  fee: 1n,
  isOrphan: false,
  transaction: {
    version: 0,
    inputs: [
      {
        previousOutpoint: { transactionId: spends, index: 0 },
        signatureScript: '',
        sequence: 0n,
        sigOpCount: 1,
        verboseData: undefined,
      },
    ],
    outputs: [],
    lockTime: 0n,
    subnetworkId: '00'.repeat(20),
    gas: 0n,
    payload: '',
    mass: 0n,
    verboseData: { transactionId, hash: transactionId, computeMass: 0n, blockHash: '', blockTime: 0n },
  },
})

export const inMempool =
  (transactionId = ID) =>
  (): Observable<RpcResponse<'getMempoolEntry'>> =>
    of({ mempoolEntry: entryOf(transactionId, 'ee'.repeat(32)) })
