import {
  asyncScheduler,
  firstValueFrom,
  lastValueFrom,
  NEVER,
  of,
  Subject,
  take,
  toArray,
  type SchedulerAction,
  type SchedulerLike,
} from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { encodeAddress } from '../../../src/model/address.js'
import { toEntry } from '../../../src/model/utxo-columns/records.js'
import type { UtxoColumns } from '../../../src/model/utxo-columns/columns.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import type { NodeConnection } from '../../../src/node/port.js'
import { createServerPlatform } from '../../../src/platform/detect.js'
import { createPageRequests } from '../../../src/streams/chain/node-requests.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import type { ToTab, WorkerPort } from '../../../src/wrpc/shared/messages.js'
import { MAX_UNREAD } from '../../../src/wrpc/shared/virtual-connection.js'
import { createSharedOrigin, type SharedTab } from './shared-origin.js'

const ENDPOINT = { url: 'ws://node', encoding: 'Borsh' } as const
const [A, B] = [1, 2].map((byte) => encodeAddress('kaspasim', 'PubKey', new Uint8Array(32).fill(byte))) as [
  string,
  string,
]
const HASH = 'ab'.repeat(32)

/** A thousand times faster, so that no test waits for a deadline. */
const fast: SchedulerLike = {
  now: () => performance.now() * 1_000,
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) {
    return asyncScheduler.schedule(work, delay / 1_000, state)
  },
}

function createOrigin(scheduler: SchedulerLike = asyncScheduler) {
  const node = createScriptedNode({ validate: false })
  const origin = createSharedOrigin({ ...createServerPlatform(), scheduler }, () => node)
  origins.push(origin)
  return { node, origin }
}
const origins: { close(): void }[] = []
afterEach(() => origins.splice(0).forEach((origin) => origin.close()))

const dial = (tab: SharedTab): Promise<NodeConnection> => firstValueFrom(tab.port.dial(ENDPOINT))
const subscribe = (connection: NodeConnection, ...addresses: string[]) =>
  firstValueFrom(connection.call('subscribe', { scope: { type: 'utxos-changed', addresses } }))
const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})
const SCORES = { scope: { type: 'virtual-daa-score-changed' } } as const

const utxo = (address: string, index: number): UtxoEntry =>
  fixtures.utxo({ address, outpoint: { transactionId: HASH, index }, amount: 5n })
const indexesOf = (columns: UtxoColumns): number[] =>
  Array.from({ length: columns.count }, (_, row) => toEntry(columns, row).outpoint.index).sort((a, b) => a - b)

describe('tabs with one endpoint', () => {
  it('have one socket, until the last one closes', async () => {
    const { node, origin } = createOrigin()
    const [one, other] = await Promise.all([dial(origin.openTab()), dial(origin.openTab())])
    one.close()
    expect(await firstValueFrom(other.call('ping', {}))).toEqual({})
    expect(node.sockets).toHaveLength(1)
    other.close()
    await firstValueFrom(node.sockets[0]!.closed$)
  })

  it('have two sockets where they want different encodings', async () => {
    const { node, origin } = createOrigin()
    const connections = await Promise.all(
      (['Borsh', 'SerdeJson'] as const).map((encoding) =>
        firstValueFrom(origin.openTab().port.dial({ ...ENDPOINT, encoding })),
      ),
    )
    expect([node.sockets.length, 'chainIds' in connections[0]!, 'chainIds' in connections[1]!]).toEqual([
      2,
      true,
      false,
    ])
  })

  it('say how many there are', async () => {
    const { origin } = createOrigin()
    const [one, other] = [origin.openTab(), origin.openTab()]
    await dial(one)
    await dial(other)
    await expect.poll(() => one.states.at(-1)).toEqual({ connection: 'shared', tabs: 2 })
    other.crash()
    await expect.poll(() => one.states.at(-1)).toEqual({ connection: 'shared', tabs: 1 })
  })

  it('say that nothing is shared once they are disconnected', async () => {
    const { origin } = createOrigin()
    const tab = origin.openTab()
    const connection = await dial(tab)
    expect(tab.states.at(-1)).toEqual({ connection: 'shared', tabs: 1 })
    connection.close()
    expect(tab.states.at(-1)).toEqual({ connection: 'own', fault: 'ready' })
    await dial(tab)
    expect(tab.states.at(-1)).toEqual({ connection: 'shared', tabs: 1 })
  })

  it('all end with the socket', async () => {
    const { node, origin } = createOrigin()
    const connections = await Promise.all([dial(origin.openTab()), dial(origin.openTab())])
    node.drop('it was restarted')
    for (const { closed$ } of connections)
      expect(await firstValueFrom(closed$)).toMatchObject({ reason: 'it was restarted' })
  })

  it('dial again once the one that dialled has ended its attempt: that dial may hang', async () => {
    const { node, origin } = createOrigin()
    const other = { ...ENDPOINT, url: 'ws://other' }
    node.onDial(({ url }) => (url === other.url ? of(undefined) : NEVER))
    const first = origin.openTab().port.dial(ENDPOINT).subscribe()
    await expect.poll(() => node.dialled).toEqual([ENDPOINT.url])
    const tab = origin.openTab()
    const second = dial(tab)
    await firstValueFrom(tab.port.dial(other)) // the dial before it has arrived, too
    node.onDial(() => of(undefined))
    first.unsubscribe()
    await firstValueFrom((await second).call('ping', {}))
    expect(node.dialled).toEqual([ENDPOINT.url, other.url, ENDPOINT.url])
  })

  it('all are refused where the node cannot be dialled, with its error', async () => {
    const { node, origin } = createOrigin()
    const refusal = new Subject<never>()
    node.onDial(() => refusal)
    const dials = [origin.openTab(), origin.openTab()].map((tab) => dial(tab).catch((error: unknown) => error))
    await expect.poll(() => node.dialled.length).toBe(1)
    refusal.error(new Error('no route'))
    for (const error of await Promise.all(dials))
      expect(error).toMatchObject({ method: 'connect', details: 'no route' })
  })
})

it('tabs that share by different names have sockets of their own', async () => {
  const { node, origin } = createOrigin()
  node.respond('ping', () => of({}))
  const tabs = [origin.openTab(), origin.openTab(), origin.openTab(origin.connectHub, 'other')]
  const connections = await Promise.all(tabs.map(dial))
  await Promise.all(connections.map((connection) => firstValueFrom(connection.call('ping', {}))))
  expect(tabs.map(({ states }) => states.at(-1))).toMatchObject([
    { connection: 'shared', tabs: 2 },
    { connection: 'shared', tabs: 2 },
    { connection: 'shared', tabs: 1 },
  ])
})

describe('a call', () => {
  it('that another tab has in flight is sent once', async () => {
    const { node, origin } = createOrigin()
    const [one, other] = await Promise.all([dial(origin.openTab()), dial(origin.openTab())])
    const response = new Subject<{ sink: string }>()
    node.respond('getSink', () => response)
    const results = Promise.all([one, other].map((connection) => firstValueFrom(connection.call('getSink', {}))))
    const sent = () => node.calls.filter(({ method }) => method === 'getSink').length
    await expect.poll(sent).toBe(1)
    await firstValueFrom(other.call('ping', {})) // its call before has arrived
    response.next({ sink: HASH })
    response.complete()
    expect([await results, sent()]).toEqual([[{ sink: HASH }, { sink: HASH }], 1])
  })

  it('is sent again where its caller has received something since the other one was sent', async () => {
    const { node, origin } = createOrigin()
    const [one, other] = await Promise.all([dial(origin.openTab()), dial(origin.openTab())])
    const responses = [new Subject<{ sink: string }>(), new Subject<{ sink: string }>()]
    const waiting = [...responses]
    node.respond('getSink', () => waiting.shift()!)
    const first = firstValueFrom(one.call('getSink', {}))
    await expect.poll(() => waiting.length).toBe(1)
    await firstValueFrom(other.call('subscribe', SCORES)) // from here on it must not see an older state
    const second = firstValueFrom(other.call('getSink', {}))
    await expect.poll(() => waiting.length).toBe(0)
    responses[1]!.next({ sink: 'cd'.repeat(32) })
    responses[0]!.next({ sink: HASH })
    expect([await first, await second]).toEqual([{ sink: HASH }, { sink: 'cd'.repeat(32) }])
  })

  it('for whole blocks of the chain resolves to records, because an iteration cannot be posted', async () => {
    const { node, origin } = createOrigin()
    const page = { removedChainBlockHashes: [], addedChainBlockHashes: [HASH], chainBlockAcceptedTransactions: [] }
    node.respond('getVirtualChainFromBlockV2', () => of(page))
    const connection = await dial(origin.openTab())
    const requests = createPageRequests((_, call) => firstValueFrom(call(connection)))
    const { blocks, addedChainBlockHashes } = await requests.fetchChainBlocks({ startHash: HASH }, (block) => block)
    expect([blocks, addedChainBlockHashes]).toEqual([[], [HASH]])
  })

  it('that changes something is never joined', async () => {
    const { node, origin } = createOrigin()
    const [one, other] = await Promise.all([dial(origin.openTab()), dial(origin.openTab())])
    node.respond('submitTransaction', () => of({ transactionId: HASH }))
    const request = { transaction: {} as never, allowOrphan: false }
    await Promise.all([one, other].map((connection) => firstValueFrom(connection.call('submitTransaction', request))))
    expect(node.calls.filter(({ method }) => method === 'submitTransaction')).toHaveLength(2)
  })

  it('waits where 64 of its tab are in flight', async () => {
    const { node, origin } = createOrigin()
    const connection = await dial(origin.openTab())
    const responses: Subject<object>[] = []
    node.respond('ping', () => {
      const response = new Subject<object>()
      responses.push(response)
      return response
    })
    const results = Array.from({ length: 65 }, () => lastValueFrom(connection.call('ping', {})))
    await expect.poll(() => responses.length).toBe(64)
    for (const response of [...responses]) {
      response.next({})
      response.complete()
    }
    await expect.poll(() => responses.length).toBe(65)
    responses[64]!.next({})
    responses[64]!.complete()
    expect(await Promise.all(results)).toHaveLength(65)
  })
})

describe('UTXOs that a tab has fetched', () => {
  it('are those of the next tab, with what was notified since, without a call', async () => {
    const { node, origin } = createOrigin()
    const [one, other] = await Promise.all([dial(origin.openTab()), dial(origin.openTab())])
    node.respond('getUtxosByAddresses', () => of({ entries: [utxo(A, 0), utxo(A, 1), utxo(B, 2)] }))
    await Promise.all([subscribe(one, A, B), subscribe(other, A, B)])
    expect(indexesOf(await firstValueFrom(one.utxoColumns!([A, B])))).toEqual([0, 1, 2])
    node.notify({ type: 'utxos-changed', data: { added: [utxo(A, 3)], removed: [utxo(B, 2)] } })
    expect(indexesOf(await firstValueFrom(other.utxoColumns!([B, A])))).toEqual([0, 1, 3])
    expect(node.calls.filter(({ method }) => method === 'getUtxosByAddresses')).toHaveLength(1)
  })

  it('are fetched again after a notification that does not fit', async () => {
    const { node, origin } = createOrigin()
    const connection = await dial(origin.openTab())
    node.respond('getUtxosByAddresses', () => of({ entries: [utxo(A, 0)] }))
    await subscribe(connection, A)
    await firstValueFrom(connection.utxoColumns!([A]))
    node.notify({ type: 'utxos-changed', data: { added: [], removed: [utxo(A, 9)] } })
    expect(indexesOf(await firstValueFrom(connection.utxoColumns!([A])))).toEqual([0])
    expect(node.calls.filter(({ method }) => method === 'getUtxosByAddresses')).toHaveLength(2)
  })

  it('are fetched again for a tab that requests again, as after a notification that came twice', async () => {
    const { node, origin } = createOrigin()
    const [one, other] = await Promise.all([dial(origin.openTab()), dial(origin.openTab())])
    node.respond('getUtxosByAddresses', () => of({ entries: [utxo(A, 0)] }))
    await Promise.all([subscribe(one, A), subscribe(other, A)])
    const fetch = async (tab: NodeConnection) => indexesOf(await firstValueFrom(tab.utxoColumns!([A])))
    await fetch(one)
    const added = { type: 'utxos-changed', data: { added: [utxo(A, 1)], removed: [] } } as const
    node.notify(added)
    node.notify({ type: 'utxos-changed', data: { added: [], removed: [utxo(A, 1)] } })
    node.notify(added)
    expect(await fetch(one)).toEqual([0])
    expect(await fetch(other)).toEqual([0])
  })

  it('contain what was notified during the fetch, once', async () => {
    const { node, origin } = createOrigin()
    const connection = await dial(origin.openTab())
    const response = new Subject<{ entries: UtxoEntry[] }>()
    node.respond('getUtxosByAddresses', () => response)
    await subscribe(connection, A)
    const columns = firstValueFrom(connection.utxoColumns!([A]))
    await expect.poll(() => response.observed).toBe(true)
    node.notify({ type: 'utxos-changed', data: { added: [utxo(A, 1), utxo(A, 2)], removed: [utxo(A, 0)] } })
    response.next({ entries: [utxo(A, 0), utxo(A, 1)] })
    response.complete()
    expect(indexesOf(await columns)).toEqual([1, 2])
  })
})

describe('a request for UTXOs', () => {
  it('ends with the last tab that waits for it, and the next one is sent', async () => {
    const { node, origin } = createOrigin()
    const [one, other] = await Promise.all([dial(origin.openTab()), dial(origin.openTab())])
    await Promise.all([subscribe(one, A), subscribe(other, A)])
    const lost = new Subject<never>()
    node.respond('getUtxosByAddresses', () => lost)
    const waiting = [one, other].map((connection) => connection.utxoColumns!([A]).subscribe())
    const arrived = () => Promise.all([one, other].map((connection) => firstValueFrom(connection.call('ping', {}))))
    await arrived()
    waiting[0]!.unsubscribe()
    await arrived()
    expect(lost.observed).toBe(true)
    waiting[1]!.unsubscribe()
    await arrived()
    expect(lost.observed).toBe(false)
    node.respond('getUtxosByAddresses', () => of({ entries: [utxo(A, 1)] }))
    expect(indexesOf(await firstValueFrom(one.utxoColumns!([A])))).toEqual([1])
  })
})

describe('a tab that has crashed', () => {
  it('leaves no subscription at the node', async () => {
    const { node, origin } = createOrigin()
    const leaving = origin.openTab()
    const [one, other] = await Promise.all([dial(leaving), dial(origin.openTab())])
    await Promise.all([subscribe(one, A), subscribe(other, B)])
    leaving.crash()
    await expect
      .poll(() => node.calls.at(-1))
      .toMatchObject({ method: 'unsubscribe', request: { scope: { type: 'utxos-changed', addresses: [A] } } })
  })
})

describe('a worker that has crashed', () => {
  it('ends the connections of its tabs, which connect to the next one', async () => {
    const { node, origin } = createOrigin()
    const tab = origin.openTab()
    const connection = await dial(tab)
    const call = firstValueFrom(connection.call('getSink', {})).catch((error: unknown) => error)
    origin.crashWorker()
    expect(await firstValueFrom(connection.closed$)).toMatchObject({ reason: 'the shared worker has ended' })
    expect(await call).toMatchObject({ code: 'connection-lost' })
    await firstValueFrom((await dial(tab)).call('ping', {}))
    expect(node.sockets.length).toBe(2)
  })

  it('was one, where a second epoch arrives on its port', async () => {
    const { origin } = createOrigin()
    let toTab: (message: ToTab) => void = () => undefined
    const tab = origin.openTab(() => {
      const port = origin.connectHub()
      return {
        ...port,
        receive: (handler) => {
          toTab = handler
          port.receive(handler)
        },
      }
    })
    const connection = await dial(tab)
    toTab({ type: 'epoch', epoch: 'another', tabs: 1 })
    expect(await firstValueFrom(connection.closed$)).toMatchObject({ reason: 'the shared worker was restarted' })
  })
})

describe('a worker whose lock a script of the origin has stolen', () => {
  it('is reached again by its tabs, which take it for dead once', async () => {
    const { node, origin } = createOrigin()
    const tab = origin.openTab()
    const connection = await dial(tab)
    await origin.stealWorkerLock()
    expect(await firstValueFrom(connection.closed$)).toMatchObject({ reason: 'the shared worker has ended' })
    await firstValueFrom((await dial(tab)).call('ping', {}))
    expect(node.sockets.length).toBe(2)
  })
})

const UNRESPONSIVE: WorkerPort = { post: () => undefined, receive: () => undefined, close: () => undefined }

describe('a tab', () => {
  it('dials by itself where the worker does not respond', async () => {
    const { node, origin } = createOrigin(fast)
    const tab = origin.openTab(() => UNRESPONSIVE)
    await dial(tab)
    expect(tab.states).toEqual([{ connection: 'own', fault: 'unresponsive' }])
    expect(node.sockets).toHaveLength(1)
  })

  it('dials by itself for good where the worker cannot be loaded', async () => {
    const { node, origin } = createOrigin()
    let attempts = 0
    const tab = origin.openTab((onBlocked) => {
      attempts++
      queueMicrotask(onBlocked)
      return UNRESPONSIVE
    })
    await dial(tab)
    await dial(tab)
    expect(tab.states).toEqual([{ connection: 'own', fault: 'blocked' }])
    expect([node.sockets.length, attempts]).toEqual([2, 1])
  })

  it('dials by itself for good where the browser throws in place of starting the worker', async () => {
    const { origin } = createOrigin()
    let attempts = 0
    const tab = origin.openTab(() => {
      attempts++
      throw new TypeError('This document requires TrustedScriptURL assignment')
    })
    await dial(tab)
    await dial(tab)
    expect([tab.states, attempts]).toEqual([[{ connection: 'own', fault: 'blocked' }], 1])
  })

  it('whose page was restored from the cache connects again', async () => {
    const { origin } = createOrigin()
    const tab = origin.openTab()
    const connection = await dial(tab)
    tab.restore()
    expect(await firstValueFrom(connection.closed$)).toMatchObject({ reason: 'the page was restored from the cache' })
    expect(await firstValueFrom((await dial(tab)).call('ping', {}))).toEqual({})
  })

  it('that reads what it receives keeps its connection, however large that is', async () => {
    const { node, origin } = createOrigin()
    const connection = await dial(origin.openTab())
    const scope = { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true } as const
    await firstValueFrom(connection.call('subscribe', { scope }))
    const received = firstValueFrom(connection.notifications$.pipe(take(40), toArray()))
    const acceptedTransactionIds = Array.from({ length: 8_000 }, () => HASH)
    for (let count = 0; count < 40; count++) {
      node.notify({
        type: 'virtual-chain-changed',
        data: {
          removedChainBlockHashes: [],
          addedChainBlockHashes: [HASH],
          acceptedTransactionIds: [{ acceptingBlockHash: HASH, acceptedTransactionIds }],
        },
      })
      await firstValueFrom(connection.call('ping', {})) // it has read
    }
    expect(await received).toHaveLength(40)
  })

  it('that follows few of the addresses that are notified keeps its connection', async () => {
    const { node, origin } = createOrigin()
    const [one, other] = [await dial(origin.openTab()), await dial(origin.openTab())]
    await subscribe(one, A)
    await subscribe(other, B)
    const received = firstValueFrom(one.notifications$.pipe(take(31), toArray()))
    const many = Array.from({ length: 2_000 }, (_, index) => utxo(B, index))
    for (let count = 0; count < 31; count++) {
      node.notify({ type: 'utxos-changed', data: { added: [utxo(A, count), ...many], removed: [] } })
      await Promise.all([one, other].map((each) => firstValueFrom(each.call('ping', {})))) // both have read
    }
    expect(await received).toHaveLength(31)
  })

  it('acknowledges small notifications together', async () => {
    const { node, origin } = createOrigin()
    let acknowledged = 0
    const tab = origin.openTab(() => {
      const port = origin.connectHub()
      const post: WorkerPort['post'] = (message) => {
        if (message.type === 'ack') acknowledged++
        port.post(message)
      }
      return { ...port, post }
    })
    const connection = await dial(tab)
    await firstValueFrom(connection.call('subscribe', SCORES))
    const received = firstValueFrom(connection.notifications$.pipe(take(100), toArray()))
    for (let count = 0; count < 100; count++) node.notify(score(BigInt(count)))
    expect(await received).toHaveLength(100)
    expect(acknowledged).toBe(3)
  })

  it('that reads nothing loses its connection, and the others keep theirs', async () => {
    const { node, origin } = createOrigin()
    const tab = origin.openTab(() => {
      const port = origin.connectHub()
      return { ...port, post: (message) => message.type !== 'ack' && port.post(message) } // as a frozen one
    })
    const [one, other] = await Promise.all([dial(tab), dial(origin.openTab())])
    await Promise.all([one, other].map((connection) => firstValueFrom(connection.call('subscribe', SCORES))))
    const received = firstValueFrom(one.notifications$.pipe(toArray()))
    for (let count = 0; count <= MAX_UNREAD; count++) {
      node.notify(score(BigInt(count)))
      if (count % 100 === 0) await firstValueFrom(other.call('ping', {})) // it reads meanwhile
    }
    expect(await firstValueFrom(one.closed$)).toMatchObject({ reason: 'this tab does not read what it receives' })
    expect(await received).toHaveLength(MAX_UNREAD)
    expect(await firstValueFrom(other.call('ping', {}))).toEqual({})
  })
})
