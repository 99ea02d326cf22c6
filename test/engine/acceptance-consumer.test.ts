import { filter, firstValueFrom, map, scan, type Observable } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { RpcEncoding } from '../../src/model/network.js'
import type { AcceptanceChange, SendersResolved } from '../../src/streams/acceptance/acceptance.js'

const KAS = 100_000_000n

describe.each<RpcEncoding>(['Borsh', 'SerdeJson'])('a consumer of accepted transactions over %s', (encoding) => {
  let devnode: Devnode
  beforeAll(async () => {
    devnode = await createDevnode({ blockInterval: 0, accounts: 2 })
    await devnode.mine(3)
  })
  afterAll(() => devnode.close())

  const open = async (): Promise<ChainEngine> => {
    const url = encoding === 'Borsh' ? devnode.urls.borsh : devnode.urls.json
    const engine = createChainEngine({ network: 'simnet', encoding, url })
    await engine.connection.connect()
    return engine
  }
  const pay = (): Promise<string> => devnode.fund(devnode.accounts[0]?.address ?? '', KAS)

  it('resolves senders of transactions accepted between two runs', async () => {
    const first = await open()
    const paid$ = first.acceptedTransactions$()
    const received = firstValueFrom(paid$)
    await first.rpc.subscribeVirtualChainChanged(true)
    await pay()
    const cursor = blockOf(await received)
    await first.dispose()

    const payment = await pay()
    await devnode.mine(2)
    const second = await open()
    const changes$ = second.acceptedTransactions$({ from: cursor, includeSenderAddresses: true })
    const resolved = await firstValueFrom(changes$.pipe(filter(isOf(payment)), filter(isResolved)))
    expect(resolved.senderAddresses).toEqual([expect.stringMatching(/^kaspasim:/)])
    await second.dispose()
  })

  it('matches the accepted transactions of the chain after a reorg', async () => {
    const engine = await open()
    const acceptingBlocks$ = engine.acceptedTransactions$().pipe(toAcceptingBlocks)
    const acceptingBlocks: ReadonlyMap<string, string>[] = []
    const subscription = acceptingBlocks$.subscribe((now) => acceptingBlocks.push(now))
    await engine.rpc.subscribeVirtualChainChanged(true)
    const payment = await pay()
    await devnode.mine()
    await expect.poll(() => acceptingBlocks.at(-1)?.has(payment)).toBe(true)
    await devnode.reorg({ depth: 3, drop: [payment] })
    await expect.poll(() => acceptingBlocks.at(-1)?.has(payment)).toBe(false)
    const expected = new Map(
      devnode.expected
        .accepted()
        .flatMap((block) => block.acceptedTransactionIds.map((id) => [id, block.acceptingBlockHash] as const)),
    )
    for (const [id, block] of acceptingBlocks.at(-1) ?? []) expect(expected.get(id)).toBe(block)
    subscription.unsubscribe()
    await engine.dispose()
  })
})

/** The accepting block of a change. */
function blockOf(change: AcceptanceChange): string {
  if (change.type === 'rollback') throw new Error('A block is expected to be accepted')
  return change.acceptingBlockHash
}

const isResolved = (change: AcceptanceChange | SendersResolved): change is SendersResolved => change.type === 'resolved'

const isOf =
  (id: string) =>
  (change: AcceptanceChange | SendersResolved): boolean =>
    change.type !== 'rollback' && change.transactionId === id

/** Accepting block by transaction id, after each change. */
const toAcceptingBlocks = (changes$: Observable<AcceptanceChange>): Observable<ReadonlyMap<string, string>> =>
  changes$.pipe(
    filter((change) => change.type !== 'rollback'),
    scan((acceptingBlocks, { type, transactionId, acceptingBlockHash }) => {
      if (type === 'accepted') acceptingBlocks.set(transactionId, acceptingBlockHash)
      else acceptingBlocks.delete(transactionId)
      return acceptingBlocks
    }, new Map<string, string>()),
    map((acceptingBlocks) => new Map(acceptingBlocks)),
  )
