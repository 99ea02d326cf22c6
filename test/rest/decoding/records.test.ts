import { describe, expect, it } from 'vitest'
import { decodeResponse } from '../../../src/rest/decoding/decode-response.js'
import type { Decoded, DecoderName } from '../../../src/rest/decoding/decoders.js'
import { recording, recordingsOf, toResponse, world } from '../recordings.js'

async function read<Name extends DecoderName>(name: Name, family: string, entry: string): Promise<Decoded[Name]> {
  const found = recording(family, entry)
  const target = { method: 'GET', url: `https://indexer.test${found.path}` } as const
  return (await decodeResponse(target, toResponse(found), name)).value
}

describe('records of recorded responses', () => {
  it('hold a balance above 2^53 exactly', async () => {
    const entry = await read('balanceEntry', 'addresses', 'balance-above-2-53')
    expect(entry).toEqual({
      address: world.addresses.whale,
      balance: 1192567684821667300,
      balanceExact: 1192567684821667387n,
    })
  })

  it('rename the script of a UTXO to `script` and add the omitted version', async () => {
    const [utxo] = await read('utxos', 'addresses', 'utxos-one-above-2-53')
    expect(utxo?.utxoEntry).toEqual({
      amount: '30000000000000001',
      scriptPublicKey: { version: 0, script: '203388bcc23425458e991f46ca6235c50a57490556becbaf259d3c14f99a80a087ac' },
      blockDaaScore: '65',
      isCoinbase: false,
    })
  })

  it('add senders and camelCase copies of the accepting block’s fields', async () => {
    const transaction = await read('transactionOrNull', 'transactions', 'by-id-two-senders-full')
    expect(transaction).toMatchObject({
      transactionId: world.transactions.twoSenders,
      acceptingBlockHash: transaction?.accepting_block_hash,
      acceptingBlockBlueScore: 73,
      acceptingBlockTime: 1795233096609,
    })
    expect(transaction?.senderAddresses).toEqual([world.addresses.bob, world.addresses.alice])
  })

  it('leave senders undefined without resolved inputs', async () => {
    const transaction = await read('transactionOrNull', 'transactions', 'by-id-plain')
    expect(transaction?.inputs).toHaveLength(1)
    expect(transaction?.senderAddresses).toBeUndefined()
  })

  it('convert null to undefined', async () => {
    const transaction = await read('transactionOrNull', 'transactions', 'by-id-coinbase')
    expect(transaction?.inputs).toBeUndefined()
    expect(transaction?.mass).toBeUndefined()
  })

  it('omit what is null in the extra fields of a block', async () => {
    const blocks = recordingsOf('blocks').filter(({ body, status }) => status === 200 && body.includes('"extra":{'))
    expect(blocks.some(({ body }) => body.includes('"color":null'))).toBe(true)
    for (const { name, body } of blocks.filter(({ path }) => path.startsWith('/blocks/'))) {
      const { extra = {} } = await read('block', 'blocks', name)
      expect(Object.values(extra)).not.toContain(null)
      expect(Object.keys(extra)).toHaveLength([...body.matchAll(/"(?:color|minerAddress|minerInfo)":"/g)].length)
    }
  })

  it('are null for an unknown transaction', async () => {
    expect(await read('transactionOrNull', 'transactions', 'by-id-unknown')).toBeNull()
  })

  it('hold exact 64-bit integers of a block beside the rounded ones', async () => {
    const block = await read('block', 'blocks', 'by-id-db')
    const output = block.transactions?.[1]?.outputs?.[0]
    expect(output?.amountExact).toBe(9223372036854775000n)
    expect(block.header.nonce).toBe('18446744073709551557')
  })

  it('rename the kaspad fields to chaind', async () => {
    const health = await read('health', 'info', 'health')
    expect(health.chaindServers[0]?.chaindHost).toBe('KASPAD_HOST_1')
    expect(Object.keys(health).sort()).toEqual(['chaindServers', 'database'])
  })

  it('describe an unhealthy server in the same shape', async () => {
    const health = await read('health', 'node-down', 'health')
    expect(health.chaindServers[0]).toMatchObject({ isSynced: false })
    expect(health.database.isSynced).toBe(false)
  })

  it('decode difficulty and hash rate as doubles', async () => {
    const max = await read('maxHashrate', 'info', 'hashrate-max')
    expect(max.blockheader.difficulty).toBe(522503980442988352)
    expect(max.blockheader.timestamp).toBe('2025-07-19T10:00:00.123000')
    const [newest] = await read('hashrateHistory', 'info', 'history-7d')
    expect(newest?.hashrate_khExact).toBe(10271643267057608n)
  })

  it('have the node’s refusal of a transaction as the reason', async () => {
    await expect(read('submission', 'submit', 'fee-zero')).rejects.toMatchObject({
      code: 'http',
      reason: 'fee-too-low',
      message: expect.stringContaining('Rejected transaction') as string,
    })
  })

  it('read the page cursors from the headers', async () => {
    const page = await read('transactionPage', 'address-transactions', 'page-before-1')
    expect(page.transactions).toHaveLength(5)
    expect([page.before, page.after]).toEqual([1795233097595, 1795233097814])
    const last = await read('transactionPage', 'address-transactions', 'page-before-5')
    expect(last.before).toBeUndefined()
  })

  it('mark an empty UTXO list that is cacheable for a minute as possibly truncated', async () => {
    expect(await read('utxoList', 'addresses', 'utxos-over-limit')).toEqual({ entries: [], mayBeTruncated: true })
    expect(await read('utxoList', 'addresses', 'utxos-empty')).toEqual({ entries: [], mayBeTruncated: false })
  })
})
