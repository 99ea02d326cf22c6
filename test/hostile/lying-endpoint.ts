import { concatWith, defer, delay, ignoreElements, map, throwError, timer, type SchedulerLike } from 'rxjs'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../src/node/messages/records.js'
import type { NodeConnection, NodePort } from '../../src/node/port.js'
import type { ChainPage, ChainRecord, TransactionRecord } from './hostile-chain.js'

/**
 * One lie of an endpoint. Lies about a block are the same in each response that has it; `among`: every so many blocks.
 */
export type Lie =
  | {
      readonly about: 'score'
      readonly of: 'blueScore' | 'daaScore' | 'timestamp'
      readonly by: number
      readonly among: number
    }
  | { readonly about: 'work'; readonly bits: number; readonly among: number }
  | {
      readonly about: 'value'
      readonly of: 'output' | 'input' | 'script' | 'payload' | 'covenant' | 'id' | 'addition'
      readonly by: number
      readonly among: number
    }
  | { readonly about: 'order'; readonly of: 'blocks' | 'transactions' | 'removed' }
  | {
      readonly about: 'omission'
      readonly of: 'block' | 'transactions' | 'newest' | 'position' | 'history'
      readonly among: number
    }
  /** Blocks of the chain are removed; without `omits`, nothing is added to what stays. */
  | { readonly about: 'reorg'; readonly depth: number; readonly omits: boolean }

/** What a liar knows: whether a block is its own invention, and the blocks of its chain, oldest first. */
export interface LiarState {
  readonly lies: () => readonly Lie[]
  readonly isInvented: (hash: string) => boolean
  readonly chain: () => readonly string[]
}

/** A liar under virtual time. */
export interface TimedLiarState extends LiarState {
  /** Its responses take a while: it could repeat a lie without end in one moment. */
  readonly scheduler: SchedulerLike
}

/** Connections to one URL respond as the lies say. Notifications are those of the node. */
export const lyingAt = (port: NodePort, url: string, state: TimedLiarState): NodePort => ({
  dial: (endpoint) =>
    port
      .dial(endpoint)
      .pipe(map((connection) => (endpoint.url.startsWith(url) ? lyingConnection(connection, state) : connection))),
})

function lyingConnection(
  { chainIds: _ids, chainBlocks: _blocks, ...connection }: NodeConnection,
  state: TimedLiarState,
): NodeConnection {
  const { call } = connection
  return {
    ...connection,
    call: <M extends RpcMethod>(
      method: M,
      request: RpcRequest<M>,
      options?: { readonly timeout?: number | undefined },
    ) =>
      defer(() => {
        const refusal = refusalOf(method, request, state)
        if (refusal !== undefined) {
          const error$ = throwError(() => new ChainRpcError(method, new Error(refusal), { code: 'remote' }))
          return timer(LATENCY, state.scheduler).pipe(ignoreElements(), concatWith(error$))
        }
        return call(method, request, options).pipe(
          map((response) => changedResponse(method, request, response, state)),
          delay(LATENCY, state.scheduler),
        )
      }),
  }
}

/** Ms. */
const LATENCY = 20

const isAmong = (hash: string, among: number): boolean => Number.parseInt(hash.slice(-4), 16) % among === 0

/** The error by which a liar denies a block. */
function refusalOf<M extends RpcMethod>(method: M, request: RpcRequest<M>, { lies }: LiarState): string | undefined {
  const hash = hashOf(method, request)
  if (hash === undefined) return undefined
  for (const lie of lies()) {
    if (lie.about !== 'omission' || !isAmong(hash, lie.among)) continue
    if (lie.of === 'position') return `cannot find header ${hash}`
    if (lie.of === 'history' && method !== 'getBlock')
      return 'the queried hash does not have retention root on its chain'
  }
  return undefined
}

function hashOf<M extends RpcMethod>(method: M, request: RpcRequest<M>): string | undefined {
  if (method === 'getBlock') return (request as RpcRequest<'getBlock'>).hash
  if (method === 'getVirtualChainFromBlock' || method === 'getVirtualChainFromBlockV2')
    return (request as RpcRequest<'getVirtualChainFromBlockV2'>).startHash
  return undefined
}

/** A response of a liar. */
export function changedResponse<M extends RpcMethod>(
  method: M,
  request: RpcRequest<M>,
  response: RpcResponse<M>,
  state: LiarState,
): RpcResponse<M> {
  if (method === 'getBlock') return changedBlock(response as RpcResponse<'getBlock'>, state) as RpcResponse<M>
  if (method === 'getSink') return changedSink(response as RpcResponse<'getSink'>, state) as RpcResponse<M>
  if (method === 'getVirtualChainFromBlockV2') {
    const { startHash } = request as RpcRequest<'getVirtualChainFromBlockV2'>
    return changedPage(response as ChainPage, startHash, state) as RpcResponse<M>
  }
  return response
}

function changedSink(response: RpcResponse<'getSink'>, { lies, chain }: LiarState): RpcResponse<'getSink'> {
  const isOld = lies().some((lie) => lie.about === 'omission' && lie.of === 'newest')
  return isOld ? { sink: chain().at(-5) ?? response.sink } : response
}

const changedBlock = ({ block }: RpcResponse<'getBlock'>, state: LiarState): RpcResponse<'getBlock'> => ({
  block: { ...block, header: changedHeader(block.header, state) },
})

type Header = Pick<ChainRecord['chainBlockHeader'], 'hash' | 'blueScore' | 'daaScore' | 'timestamp' | 'blueWork'>

function changedHeader<H extends Header>(header: H, { lies, isInvented }: LiarState): H {
  const { hash = '' } = header
  return lies().reduce((current, lie) => {
    if (lie.about === 'score' && isAmong(hash, lie.among)) {
      const value = (current[lie.of] ?? 0n) + BigInt(lie.by)
      return { ...current, [lie.of]: value < 0n ? 0n : value }
    }
    if (lie.about === 'work' && (isInvented(hash) || isAmong(hash, lie.among))) {
      const work = BigInt(`0x${current.blueWork ?? '0'}`) + (current.blueScore ?? 0n) * 2n ** BigInt(lie.bits)
      return { ...current, blueWork: work.toString(16).padStart(48, '0').slice(-48) }
    }
    return current
  }, header)
}

function changedPage(page: ChainPage, startHash: string, state: LiarState): ChainPage {
  const stated = page.chainBlockAcceptedTransactions.map((block) => ({
    chainBlockHeader: changedHeader(block.chainBlockHeader, state),
    acceptedTransactions: changedTransactions(block, state),
  }))
  return state.lies().reduce<ChainPage>((current, lie) => changedOrder(current, lie, startHash, state), {
    ...page,
    chainBlockAcceptedTransactions: stated,
  })
}

function changedOrder(page: ChainPage, lie: Lie, startHash: string, { chain }: LiarState): ChainPage {
  const {
    removedChainBlockHashes: removed,
    addedChainBlockHashes: added,
    chainBlockAcceptedTransactions: blocks,
  } = page
  if (lie.about === 'order' && lie.of === 'blocks') {
    const at = added.length >> 1
    return { ...page, addedChainBlockHashes: swapped(added, at), chainBlockAcceptedTransactions: swapped(blocks, at) }
  }
  if (lie.about === 'order' && lie.of === 'removed') return { ...page, removedChainBlockHashes: [...removed].reverse() }
  if (lie.about === 'omission' && lie.of === 'block') {
    const isKept = (_: unknown, at: number): boolean => !isAmong(added[at] ?? '', lie.among)
    return {
      ...page,
      addedChainBlockHashes: added.filter(isKept),
      chainBlockAcceptedTransactions: blocks.filter(isKept),
    }
  }
  if (lie.about === 'reorg' && removed.length === 0) {
    const at = chain().indexOf(startHash)
    if (at < lie.depth) return page
    const removedChainBlockHashes = chain()
      .slice(at - lie.depth + 1, at + 1)
      .reverse()
    if (lie.omits) return { ...page, removedChainBlockHashes }
    return { removedChainBlockHashes, addedChainBlockHashes: [], chainBlockAcceptedTransactions: [] }
  }
  return page
}

const swapped = <T>(items: readonly T[], at: number): T[] => {
  const [a, b] = [items[at], items[at + 1]]
  if (a === undefined || b === undefined) return [...items]
  return [...items.slice(0, at), b, a, ...items.slice(at + 2)]
}

function changedTransactions(block: ChainRecord, { lies }: LiarState): readonly TransactionRecord[] {
  const { hash = '' } = block.chainBlockHeader
  return lies().reduce<readonly TransactionRecord[]>((current, lie) => {
    if (lie.about === 'order' && lie.of === 'transactions') return [...current].reverse()
    if (lie.about === 'omission' && lie.of === 'transactions' && isAmong(hash, lie.among)) return current.slice(1)
    if (lie.about !== 'value' || !isAmong(hash, lie.among)) return current
    const [first, ...others] = current
    if (first === undefined) return current
    return lie.of === 'addition'
      ? [...current, withId(first, hash)]
      : [changedTransaction(first, lie.of, BigInt(lie.by), hash), ...others]
  }, block.acceptedTransactions)
}

const withId = (record: TransactionRecord, transactionId: string): TransactionRecord => ({
  ...record,
  verboseData: { ...record.verboseData!, transactionId },
})

function changedTransaction(
  record: TransactionRecord,
  of: Extract<Lie, { readonly about: 'value' }>['of'],
  by: bigint,
  hash: string,
): TransactionRecord {
  if (of === 'id') return withId(record, hash)
  if (of === 'payload') return { ...record, payload: `${record.payload ?? ''}00` }
  if (of === 'input') return { ...record, inputs: record.inputs.map((input) => withSpent(input, by)) }
  const [first, ...others] = record.outputs
  if (first === undefined) return record
  if (of === 'output') return { ...record, outputs: [{ ...first, value: (first.value ?? 0n) + by }, ...others] }
  if (of === 'covenant')
    return { ...record, outputs: [{ ...first, covenant: { authorizingInput: 0, covenantId: hash } }, ...others] }
  const scriptPublicKey = { version: 0, script: `20${hash}ac` }
  return { ...record, outputs: [{ ...first, scriptPublicKey }, ...others] }
}

function withSpent(input: TransactionRecord['inputs'][number], by: bigint): TransactionRecord['inputs'][number] {
  const { verboseData } = input
  const entry = verboseData?.utxoEntry
  if (entry === undefined) return input
  return { ...input, verboseData: { ...verboseData, utxoEntry: { ...entry, amount: (entry.amount ?? 0n) + by } } }
}
