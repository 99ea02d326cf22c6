import { describe, expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import type { NotificationType } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { eachTest } from '../lifetimes.js'
import { connect } from '../contract/node/support/client.js'

const KAS = 100_000_000n
const TYPES = ['block-added', 'sink-blue-score-changed', 'virtual-daa-score-changed', 'new-block-template'] as const

const devnode = eachTest(() => createDevnode({ blockInterval: 0, accounts: 2, balance: 10n * KAS }))
const client = eachTest(() => connect(devnode.urls.borsh, createBorshCodec()))

describe('the expected state', () => {
  it('counts every notification of a fully subscribed client', async () => {
    for (const type of TYPES) await client.subscribe({ type })
    await client.subscribe({ type: 'utxos-changed', addresses: [] })
    await client.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true })
    expect(devnode.expected.events()).toEqual({})
    await devnode.mine(3)
    await devnode.fund(devnode.accounts[0]!.address, KAS)
    await devnode.reorg({ depth: 2 })
    await client.call('ping', {})
    const counts: Partial<Record<NotificationType, number>> = {}
    for (const { type } of client.notifications) counts[type] = (counts[type] ?? 0) + 1
    expect(devnode.expected.events()).toEqual(counts)
  })

  it('has every block of the DAG, including those removed by a reorg', async () => {
    await client.subscribe({ type: 'block-added' })
    const genesis = devnode.expected.blocks()
    await devnode.mine(2, { parallel: 2 })
    await devnode.reorg({ depth: 1 })
    await client.call('ping', {})
    const hashes = client.notifications.map((one) => (one.type === 'block-added' ? one.data.block.header.hash : ''))
    expect(devnode.expected.blocks()).toEqual([...genesis, ...hashes])
    expect(devnode.expected.chain().every((hash) => devnode.expected.blocks().includes(hash))).toBe(true)
  })

  it('sums mature, immature and incoming amounts of an address', async () => {
    const [one, other] = devnode.accounts.map(({ address }) => address) as [string, string]
    await devnode.fund(one, 3n * KAS, { coinbase: true })
    expect(devnode.expected.balances([other, one])).toEqual([
      { address: other, mature: 10n * KAS, immature: 0n, incoming: 0n },
      { address: one, mature: 10n * KAS, immature: 3n * KAS, incoming: 0n },
    ])
    const { balance } = await client.call('getBalanceByAddress', { address: one })
    expect(balance).toBe(13n * KAS)
  })

  it('rejects an invalid address', () => {
    expect(() => devnode.expected.balances(['kaspasim:q'])).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: 'address' }),
    )
  })
})
