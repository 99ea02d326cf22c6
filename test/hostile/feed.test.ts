import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { createFeed, type Feed } from '../../src/feed/create-feed.js'
import type { FeedOptions } from '../../src/feed/options.js'
import type { FeedStatus } from '../../src/feed/status.js'
import type { ChainLogger } from '../../src/platform/port.js'
import { RowSink } from '../feed/support/row-sink.js'
import { ALICE } from '../streams/utxos/utxo-fixtures.js'
import { WORK, blockAt, chainOf, chainResponders, hashOf, type TestBlock } from './hostile-chain.js'
import { ENCODINGS, startWireNode, type WireNode } from '../wire-node.js'

/** A block that only one node has, heavier than the chain of the others, within what its work may be. */
const LIE = blockAt(11, { hash: hashOf('lie'), blueWork: WORK * 15n, pays: [[ALICE, 1_000n]] })

describe.each(ENCODINGS)('a feed that followed a lie, %s', (encoding) => {
  const nodes: WireNode[] = []
  const lines: (readonly [string, unknown])[] = []
  const ignore = (): void => undefined
  const logger: ChainLogger = {
    debug: ignore,
    info: ignore,
    warn: (message, fields) => void lines.push([message, fields]),
    error: ignore,
  }
  let rows: RowSink
  let engine: ChainEngine
  let liar: TestBlock[]
  let honest: TestBlock[]

  beforeEach(async () => {
    liar = chainOf(10)
    honest = [...liar]
    lines.length = 0
    rows = new RowSink()
    const chains = [() => liar, () => honest, () => honest] as const
    for (const [at, loopback] of (['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const).entries())
      nodes.push(await startWireNode(encoding, chainResponders(chains[at]!), loopback))
  })
  afterEach(async () => {
    await engine.dispose()
    for (const node of nodes.splice(0)) await node.close()
  })

  const open = (count: number): void => {
    engine = createChainEngine({
      network: 'simnet',
      encoding,
      resolver: false,
      urls: nodes.slice(0, count).map((node) => node.url()),
      reconnect: { baseDelay: 1, maxRetries: Infinity },
    })
  }
  const feedOf = (more: Pick<FeedOptions, 'rewindTo' | 'onBehind'> = {}): Feed =>
    createFeed({ engine, watch: [ALICE], minConfirmations: 0, logger, sink: rows, ...more })
  const amounts = (): readonly string[] => rows.transfers.map(({ amount }) => String(amount))
  const notify = (node: WireNode, ...added: readonly TestBlock[]): void =>
    node.notify({
      type: 'virtual-chain-changed',
      data: {
        removedChainBlockHashes: [],
        addedChainBlockHashes: added.map(({ hash }) => hash),
        acceptedTransactionIds: [],
      },
    })

  /**
   * Runs a feed until its status is as expected. `during` begins once the address counts: its pass no longer reads the
   * chain.
   */
  async function run(
    feed: Feed,
    during: () => Promise<void> | void,
    until: (status: FeedStatus) => boolean,
  ): Promise<FeedStatus> {
    const stopped = new AbortController()
    let status: FeedStatus | undefined
    feed.status$.subscribe((next) => (status = next))
    const done = feed.run({ signal: stopped.signal })
    const failed = done.then(() => undefined)
    const isCounting = (): boolean => (status?.blueScore ?? null) !== null && rows.hasAddress(ALICE)
    await Promise.race([expect.poll(isCounting).toBe(true), failed])
    await during()
    await Promise.race([expect.poll(() => status !== undefined && until(status)).toBe(true), failed])
    const reached = status!
    stopped.abort()
    await done
    return reached
  }

  /** The feed stores the lie of the first node. */
  const follow = (
    feed: Feed,
    after: () => Promise<void> | void = ignore,
    until = (s: FeedStatus): boolean => s.transfers > 0,
  ) =>
    run(
      feed,
      async () => {
        liar.push(LIE)
        notify(nodes[0]!, LIE)
        await after()
      },
      until,
    )

  it('F2 undoes it where two others deny it, and stores the deposit of the chain', async () => {
    open(3)
    const urls = nodes.map((node) => node.url())
    const status = await follow(
      feedOf(),
      async () => {
        await expect.poll(amounts).toEqual(['1000'])
        honest.push(blockAt(11, { pays: [[ALICE, 500n]] }))
        await nodes.shift()!.close()
      },
      ({ transfers }) => transfers > 1,
    )
    expect(amounts()).toEqual(['500'])
    expect(status).toMatchObject({ chain: 'following', rewound: 1, endpoint: urls[1] })
    const block = { hash: LIE.hash, blueScore: 11n }
    expect(lines).toContainEqual(['The chain of the node is behind the stored position', { endpoint: urls[1], block }])
    expect(lines).toContainEqual([
      'The stored position was no block of the chain and is rewound',
      {
        endpoints: [urls[1], urls[2]],
        block,
        to: { hash: honest[10]!.hash, blueScore: 10n },
      },
    ])
  })

  it("F2 undoes it with one endpoint that no longer has it, where `onBehind` is 'rewind'", async () => {
    open(1)
    const status = await follow(
      feedOf({ onBehind: 'rewind' }),
      async () => {
        await expect.poll(amounts).toEqual(['1000'])
        liar.pop()
        const real = blockAt(11, { pays: [[ALICE, 500n]] })
        liar.push(real)
        notify(nodes[0]!, real)
      },
      ({ transfers }) => transfers > 1,
    )
    expect(amounts()).toEqual(['500'])
    expect(status).toMatchObject({ chain: 'following', rewound: 1, endpoint: nodes[0]!.url() })
  })

  it('F2 rewinds rows and cursor once, to a block that the node has', async () => {
    open(1)
    await follow(feedOf())
    expect(amounts()).toEqual(['1000'])
    liar.pop()
    liar.push(blockAt(11, { pays: [[ALICE, 500n]] }))
    await expect(feedOf({ rewindTo: '12' }).run()).rejects.toMatchObject({
      argument: 'rewindTo',
      hint: expect.stringContaining('11'),
    })
    await expect(feedOf({ rewindTo: '3' }).run()).rejects.toMatchObject({
      message: '"rewindTo" is below the oldest stored row',
      hint: 'Pass a block or a blue score from 10 to 11.',
    })
    await expect(feedOf({ rewindTo: LIE.hash }).run()).rejects.toMatchObject({ argument: 'rewindTo' })
    expect(amounts()).toEqual(['1000'])
    const status = await run(feedOf({ rewindTo: '10' }), ignore, ({ transfers }) => transfers > 0)
    expect(amounts()).toEqual(['500'])
    expect(status.rollbacks).toBe(1)
  })

  it('F1 goes on with another endpoint, and names the one whose response is malformed', async () => {
    open(2)
    const status = await run(
      feedOf(),
      async () => {
        const { url } = await firstValueFrom(engine.connection.state$)
        if (url !== nodes[0]!.url()) await engine.connection.reconnect() // a busy machine may have missed a heartbeat
        const more = { ...LIE, blueScore: 2n ** 64n - 1n }
        liar.push(more)
        honest.push(blockAt(11, { pays: [[ALICE, 500n]] }))
        notify(nodes[0]!, more)
      },
      ({ transfers }) => transfers > 0,
    )
    expect(amounts()).toEqual(['500'])
    expect(status).toMatchObject({ malformed: 1, endpoint: nodes[0]!.url() })
    expect(lines).toContainEqual([
      'A response of the node is malformed',
      { endpoint: nodes[0]!.url(), error: expect.objectContaining({ code: 'malformed' }) },
    ])
  })
})
