import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import type { NotificationType } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { connect, type TestClient } from '../contract/node/support/client.js'

const KAS = 100_000_000n
const TYPES = ['block-added', 'sink-blue-score-changed', 'virtual-daa-score-changed', 'new-block-template'] as const

let devnode: Devnode
let client: TestClient
beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 2, balance: 10n * KAS })
  client = await connect(devnode.urls.borsh, createBorshCodec())
})
afterEach(async () => {
  client.close()
  await devnode.close()
})

describe('the truth', () => {
  it('counts every event as one does who hears them all', async () => {
    for (const type of TYPES) await client.subscribe({ type })
    await client.subscribe({ type: 'utxos-changed', addresses: [] })
    await client.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true })
    expect(devnode.truth.events()).toEqual({})
    await devnode.mine(3)
    await devnode.fund(devnode.accounts[0]!.address, KAS)
    await devnode.reorg({ depth: 2 })
    await client.call('ping', {})
    const heard: Partial<Record<NotificationType, number>> = {}
    for (const { type } of client.heard) heard[type] = (heard[type] ?? 0) + 1
    expect(devnode.truth.events()).toEqual(heard)
  })

  it('knows every block of the DAG, those that a reorg left behind too', async () => {
    await client.subscribe({ type: 'block-added' })
    const genesis = devnode.truth.blocks()
    await devnode.mine(2, { parallel: 2 })
    await devnode.reorg({ depth: 1 })
    await client.call('ping', {})
    const heard = client.heard.map((one) => (one.type === 'block-added' ? one.data.block.header.hash : ''))
    expect(devnode.truth.blocks()).toEqual([...genesis, ...heard])
    expect(devnode.truth.chain().every((hash) => devnode.truth.blocks().includes(hash))).toBe(true)
  })

  it('adds up what an address may spend, what ripens, and what is on its way', async () => {
    const [one, other] = devnode.accounts.map(({ address }) => address) as [string, string]
    await devnode.fund(one, 3n * KAS, { coinbase: true })
    expect(devnode.truth.balances([other, one])).toEqual([
      { address: other, mature: 10n * KAS, ripening: 0n, incoming: 0n },
      { address: one, mature: 10n * KAS, ripening: 3n * KAS, incoming: 0n },
    ])
    const { balance } = await client.call('getBalanceByAddress', { address: one })
    expect(balance).toBe(13n * KAS)
  })

  it('refuses an address that cannot be', () => {
    expect(() => devnode.truth.balances(['kaspasim:q'])).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: 'address' }),
    )
  })
})
