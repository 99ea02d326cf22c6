import { describe, expect, it } from 'vitest'
import { readAnswer } from '../../../src/rest/reading/read-answer.js'
import type { Made, ReaderName } from '../../../src/rest/reading/readers.js'
import { recording, toResponse, world } from '../recordings.js'

async function read<Name extends ReaderName>(name: Name, family: string, entry: string): Promise<Made[Name]> {
  const found = recording(family, entry)
  const asked = { method: 'GET', url: `https://indexer.test${found.path}` } as const
  return (await readAnswer(asked, toResponse(found), name)).value
}

describe('records from recorded answers', () => {
  it('hold a balance above 2^53 to the last sompi', async () => {
    const entry = await read('balanceEntry', 'addresses', 'balance-above-2-53')
    expect(entry).toEqual({
      address: world.addresses.whale,
      balance: 1192567684821667300,
      balanceExact: 1192567684821667387n,
    })
  })

  it('call the script of an unspent output `script`, and give it the version that the server leaves out', async () => {
    const [utxo] = await read('utxos', 'addresses', 'utxos-one-above-2-53')
    expect(utxo?.utxoEntry).toEqual({
      amount: '30000000000000001',
      scriptPublicKey: { version: 0, script: '203388bcc23425458e991f46ca6235c50a57490556becbaf259d3c14f99a80a087ac' },
      blockDaaScore: '65',
      isCoinbase: false,
    })
  })

  it('name senders and accepting block in camelCase beside the server’s own names', async () => {
    const transaction = await read('transactionOrNull', 'transactions', 'by-id-two-senders-full')
    expect(transaction).toMatchObject({
      transactionId: world.transactions.twoSenders,
      acceptingBlockHash: transaction?.accepting_block_hash,
      acceptingBlockBlueScore: 73,
      acceptingBlockTime: 1795233096609,
    })
    expect(transaction?.senderAddresses).toEqual([world.addresses.bob, world.addresses.alice])
  })

  it('leave senders undefined where no input was resolved', async () => {
    const transaction = await read('transactionOrNull', 'transactions', 'by-id-plain')
    expect(transaction?.inputs).toHaveLength(1)
    expect(transaction?.senderAddresses).toBeUndefined()
  })

  it('turn null into undefined', async () => {
    const transaction = await read('transactionOrNull', 'transactions', 'by-id-coinbase')
    expect(transaction?.inputs).toBeUndefined()
    expect(transaction?.mass).toBeUndefined()
  })

  it('are null for a transaction that the server does not know', async () => {
    expect(await read('transactionOrNull', 'transactions', 'by-id-unknown')).toBeNull()
  })

  it('keep 64-bit integers of a block beside their rounded selves', async () => {
    const block = await read('block', 'blocks', 'by-id-db')
    const output = block.transactions?.[1]?.outputs?.[0]
    expect(output?.amountExact).toBe(9223372036854775000n)
    expect(block.header.nonce).toBe('18446744073709551557')
  })

  it('say chaind where the server says its node’s name', async () => {
    const health = await read('health', 'info', 'health')
    expect(health.chaindServers[0]?.chaindHost).toBe('KASPAD_HOST_1')
    expect(Object.keys(health).sort()).toEqual(['chaindServers', 'database'])
  })

  it('tell of an unhealthy server in the same words', async () => {
    const health = await read('health', 'node-down', 'health')
    expect(health.chaindServers[0]).toMatchObject({ isSynced: false })
    expect(health.database.isSynced).toBe(false)
  })

  it('take a difficulty and a hash rate as the doubles they are', async () => {
    const max = await read('maxHashrate', 'info', 'hashrate-max')
    expect(max.blockheader.difficulty).toBe(522503980442988352)
    expect(max.blockheader.timestamp).toBe('2025-07-19T10:00:00.123000')
    const [newest] = await read('hashrateHistory', 'info', 'history-7d')
    expect(newest?.hashrate_khExact).toBe(10271643267057608n)
  })

  it('carry the node’s refusal of a transaction as an answer', async () => {
    const { error } = await read('submission', 'submit', 'fee-zero')
    expect(error).toMatch(/^Rejected transaction/)
  })

  it('page by the headers', async () => {
    const page = await read('transactionPage', 'address-transactions', 'page-before-1')
    expect(page.transactions).toHaveLength(5)
    expect([page.before, page.after]).toEqual([1795233097595, 1795233097814])
    const last = await read('transactionPage', 'address-transactions', 'page-before-5')
    expect(last.before).toBeUndefined()
  })

  it('doubt an empty list of outputs that may be kept for a minute', async () => {
    expect(await read('utxoList', 'addresses', 'utxos-over-limit')).toEqual({ entries: [], isDoubtful: true })
    expect(await read('utxoList', 'addresses', 'utxos-empty')).toEqual({ entries: [], isDoubtful: false })
  })
})
