import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { once } from 'node:events'
import { createDevnode } from '../../../src/devnode/index.js'
import type { NotificationScope } from '../../../src/node/messages/records.js'
import { createBorshCodec } from '../../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../../src/wrpc/json/codec.js'
import { FULL } from '../../full.js'
import { eachTest } from '../../lifetimes.js'
import { connect, type RpcRejection, type TcpTestClient } from '../../contract/node/support/client.js'

const BLOCKS: NotificationScope = { type: 'block-added' }
const CODECS = { borsh: createBorshCodec, json: createJsonCodec }

const devnode = eachTest(() => createDevnode({ blockInterval: 0, accounts: 1 }))

describe.each(['borsh', 'json'] as const)('over %s', (encoding) => {
  let client: TcpTestClient
  let frames: Buffer[]
  beforeEach(async () => {
    client = await connect(devnode.urls[encoding], CODECS[encoding]())
    frames = []
    client.socket.on('message', (data: Buffer) => frames.push(data))
  })
  afterEach(() => client.close())

  const lengthOf = async (work: () => Promise<unknown>): Promise<number> => {
    await work()
    return frames.at(-1)!.length
  }

  it('a padded message is longer and decodes to the same record', async () => {
    await client.subscribe(BLOCKS)
    const plain = await client.call('getServerInfo', {})
    const usual = await lengthOf(() => client.call('getServerInfo', {}))
    const ping = await lengthOf(() => client.call('ping', {}))
    const fault = devnode.faults.pad({ bytes: 100 })
    expect(await lengthOf(() => client.call('getServerInfo', {}))).toBeGreaterThanOrEqual(usual + 100)
    expect(await lengthOf(() => client.call('ping', {}))).toBeGreaterThanOrEqual(ping + 100)
    expect(await client.call('getServerInfo', {})).toEqual(plain)

    const [hash] = await devnode.mine()
    const { data } = await client.waitFor('block-added')
    expect(data.block.header.hash).toBe(hash)
    expect(await client.rejection('getBlock', { hash: '00'.repeat(32), includeTransactions: false })).toContain(
      'cannot',
    )
    expect(fault.triggered).toBe(5)
  })

  it.runIf(encoding === 'borsh' || FULL)('a reply may be larger than 100 MiB', async () => {
    devnode.faults.pad({ bytes: 100 * 2 ** 20, of: 'reply', times: 1 })
    expect(await lengthOf(() => client.call('getSink', {}))).toBeGreaterThan(100 * 2 ** 20)
    await client.call('ping', {})
  })

  it('a duplicated reply settles its call once', async () => {
    devnode.faults.duplicate({ of: 'reply', times: 1 })
    await client.call('getSink', {})
    await client.call('ping', {})
    expect(frames).toHaveLength(3)
    expect(frames[0]).toEqual(frames[1])
  })

  it.each([
    ['timeout', 'RPC call timed out'],
    ['no-data', 'no data'],
    ['not-found', 'RPC method not found'],
  ] as const)('a call fails with an error of the RPC server: %s', async (error, words) => {
    devnode.faults.failCall({ error })
    const refusal = await client.call('getSink', {}).catch((reason: unknown) => reason)
    expect((refusal as RpcRejection).error).toEqual({ kind: error, message: words })
    await client.call('getSink', {})
  })

  it('injects a block just before a reply', async () => {
    devnode.faults.injectBlock({ method: 'subscribe' })
    await client.subscribe(BLOCKS)
    expect(client.notifications.map(({ type }) => type)).toEqual(['block-added'])
    expect(devnode.expected.chain()).toHaveLength(2)
    expect(devnode.faults.active()).toEqual([])
  })

  it('injects a block just before the connection is cut', async () => {
    await client.subscribe(BLOCKS)
    devnode.faults.injectBlock({ before: 'close' })
    const ended = once(client.socket, 'close')
    await expect(client.call('getSink', {})).rejects.toThrow('The connection ended during getSink')
    await ended
    expect(client.notifications.map(({ type }) => type)).toEqual(['block-added'])
  })
})

describe('a node before 0.16', () => {
  it('replies to a JSON client in JSON, and sends its notifications in Borsh', async () => {
    const client = await connect(devnode.urls.json, createJsonCodec())
    const received: unknown[] = []
    client.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) received.push(createBorshCodec().decodeMessage(Uint8Array.from(data)))
    })
    await client.subscribe({ type: 'virtual-daa-score-changed' })
    const fault = devnode.faults.borshNotifications()
    await devnode.mine()
    await client.call('ping', {})
    const notification = {
      type: 'virtual-daa-score-changed',
      data: { virtualDaaScore: devnode.expected.virtualDaaScore() },
    }
    expect(received).toEqual([{ kind: 'notification', notification }])
    fault.stop()
    await devnode.mine()
    await client.waitFor('virtual-daa-score-changed')
    expect([received.length, fault.triggered]).toEqual([1, 1])
    client.close()
  })
})
