import { expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { encodeCursor } from '../../../src/model/chain-cursor/encode-cursor.js'
import { locatorAt } from '../../../src/model/chain-cursor/locator.js'
import type { ChainBlock, LocatedBatch } from '../../../src/streams/chain/batch.js'
import { startBackfill, type BackfillContext } from '../../../src/streams/transfers/backfill.js'
import { KnownOutputs } from '../../../src/streams/transfers/known-outputs.js'

const ALICE = 'kaspasim:alice'
const START = { hash: '0a'.repeat(32), blueScore: 10n, blueWork: 'a' }
const OUTPOINT = { transactionId: '01'.repeat(32), index: 0 }

/** A UTXO that is older than the start. */
const ENTRY = {
  address: ALICE,
  outpoint: OUTPOINT,
  amount: 5n,
  blockDaaScore: 3n,
  isCoinbase: false,
  scriptPublicKey: { version: 0, script: '51' },
} satisfies UtxoEntry

/** A chain block that spends it. */
const spending = (hash: string, blueScore: bigint): ChainBlock => ({
  hash,
  blueScore,
  daaScore: blueScore,
  timestamp: 0,
  transactions: [
    {
      id: '02'.repeat(32),
      version: 0,
      payload: '',
      isCoinbase: false,
      storageMass: 0n,
      computeMass: 0n,
      fee: 5n,
      inputs: [{ outpoint: OUTPOINT, address: ALICE, amount: 5n }],
      outputs: [],
    },
  ],
})

/** A node whose sink is a block with this score, and whose index has these entries; virtual merges no other block. */
interface NodeState {
  readonly sinkScore: bigint
  readonly entries: readonly UtxoEntry[]
}

/** A pass from `START` at a node, whose batches are given one by one. */
function openPass() {
  let node: NodeState = { sinkScore: 10n, entries: [ENTRY] }
  const responses: Record<string, (request: { readonly hash?: string }) => unknown> = {
    getSink: () => ({ sink: 'sink' }),
    getSinkBlueScore: () => ({ blueScore: node.sinkScore }),
    getUtxosByAddresses: () => ({ entries: node.entries }),
    getBlockDagInfo: () => ({ virtualParentHashes: ['sink'] }),
    getBlocks: () => ({ blockHashes: ['sink'], blocks: [] }),
    getBlock: ({ hash }) => ({
      block: {
        header: { ...START, hash, daaScore: 10n, timestamp: 0n },
        verboseData: { isChainBlock: true },
      },
    }),
  }
  const session = { serverInfo: { hasUtxoIndex: true } }
  const waiting: ((batch: IteratorResult<LocatedBatch, undefined>) => void)[] = []
  const ended = { done: true as const, value: undefined }
  const batches = {
    next: () => new Promise<IteratorResult<LocatedBatch, undefined>>((resolve) => waiting.push(resolve)),
    return: () => Promise.resolve(ended),
    [Symbol.asyncIterator]: () => batches,
  }
  const context = {
    scope: {
      call: (method: string, request: object) => Promise.resolve(responses[method]?.(request)),
      connected: () => Promise.resolve(session),
    },
    attempts: { run: (read: (at: typeof session, tries: number) => unknown) => read(session, 0) },
    network: 'simnet',
    known: new KnownOutputs(undefined),
    minConfirmations: 0n,
    follow: () => batches,
    isChange: () => false,
    watched: { has: (address: string) => address === ALICE },
  } as unknown as BackfillContext
  const cursor = encodeCursor(locatorAt(START), 'simnet')
  let progress = (): void => undefined
  const pass = startBackfill(
    context,
    { cursor, addresses: [ALICE], keeps: 'transfers' },
    { onProgress: () => progress(), onFailure: (error) => expect.fail(String(error)) },
  )
  pass.ready.catch(() => undefined)
  return {
    pass,
    setNode: (state: NodeState) => void (node = state),
    /** Resolves once the pass has processed the batch. */
    async give(batch: Partial<LocatedBatch>): Promise<void> {
      await expect.poll(() => waiting.length).toBe(1)
      const processed = new Promise<void>((resolve) => (progress = resolve))
      waiting.shift()?.({ value: { locator: locatorAt(START), rollback: null, blocks: [], isLive: true, ...batch } })
      await processed
    },
  }
}

const FORK = { hash: 'b1', blueScore: 11n, daaScore: 11n }

it('reads the index again after a rollback, for it lacks what the removed blocks had spent', async () => {
  const { pass, give, setNode } = openPass()
  setNode({ sinkScore: 12n, entries: [] })
  await give({ blocks: [{ ...spending('b1', 11n), transactions: [] }, spending('b2', 12n)] })
  expect(pass.covers({ hash: 'b2', blueScore: 12n })).toBe(true)

  setNode({ sinkScore: 13n, entries: [ENTRY] }) // the payment was dropped
  const blocks = ['c2', 'c3'].map((hash, at) => ({ ...spending(hash, 12n + BigInt(at)), transactions: [] }))
  await give({ rollback: FORK, blocks })
  const position = { hash: 'c3', blueScore: 13n }
  expect(pass.covers(position)).toBe(true)
  const transfers = pass.take(position).flatMap((transaction) => transaction.transfers)
  expect(transfers).toEqual([expect.objectContaining({ direction: 'credit', outpoint: OUTPOINT, isOpening: true })])
  pass.end()
})

it('is not ready between a rollback and the next read of the index', async () => {
  const { pass, give, setNode } = openPass()
  setNode({ sinkScore: 12n, entries: [] })
  await give({ blocks: [{ ...spending('b1', 11n), transactions: [] }, spending('b2', 12n)] })
  await give({ rollback: FORK, isLive: false })
  expect(pass.covers({ hash: 'b1', blueScore: 11n })).toBe(false)
  pass.end()
})
