import { describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { addressOfPublicKey } from '../../../src/model/address.js'
import { hashMerkleRoot } from '../../../src/model/block.js'
import { storageMass } from '../../../src/model/mass.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { RpcRawBlock } from '../../../src/node/messages/records.js'
import { utxoCreatedBy, FEE, unsigned, walletOf } from './wallet.js'

const [alice, bob] = [walletOf(0x33), walletOf(0x44)]
const UTXO = 10_000_000_000n
const NOW = 1_795_234_286_708

const start = (): { readonly ledger: Ledger; readonly utxos: readonly UtxoEntry[] } => {
  const ledger = createLedger({
    genesisUtxos: Array.from({ length: 3 }, () => ({ address: alice.address, amount: UTXO })),
  })
  ledger.mine({ now: NOW, count: 3 })
  return { ledger, utxos: ledger.expected.utxos([alice.address]) }
}

function template(ledger: Ledger): RpcRawBlock {
  const result = ledger.call('getBlockTemplate', { payAddress: bob.address, extraData: '' }, NOW)
  if (!result.ok) throw new Error(result.message)
  return result.value.block
}

/** A template with other transactions and their merkle root. */
function withTransactions(block: RpcRawBlock, others: readonly Transaction[]): RpcRawBlock {
  const transactions = [block.transactions[0]!, ...others]
  return { header: { ...block.header, hashMerkleRoot: hashMerkleRoot(transactions) }, transactions }
}

const submit = (ledger: Ledger, block: RpcRawBlock) =>
  ledger.submitBlock({ block, allowNonDaaBlocks: false }, NOW).result.report
const SUCCESS = { type: 'success' }
const INVALID = { type: 'reject', reason: 'blockInvalid' }
const committed = (payment: Transaction, spent: readonly UtxoEntry[]): Transaction => ({
  ...payment,
  mass: storageMass(payment, spent),
})
const wasAccepted = (ledger: Ledger, { id }: { id: string }): boolean => {
  ledger.mine({ now: NOW, count: 2 })
  return ledger.expected.accepted().some(({ acceptedTransactionIds }) => acceptedTransactionIds.includes(id))
}

describe('submitBlock', () => {
  it('accepts an unchanged template, and reports success for a known block', () => {
    const { ledger } = start()
    const block = template(ledger)
    expect(submit(ledger, block)).toEqual(SUCCESS)
    expect(ledger.expected.chain()).toHaveLength(5)
    expect(ledger.submitBlock({ block, allowNonDaaBlocks: false }, NOW)).toEqual({
      result: { report: SUCCESS },
      events: [],
    })
  })

  it('accepts a transaction without a fee, which the mempool would reject', () => {
    const { ledger, utxos } = start()
    const free = committed(alice.pay([utxos[0]!], [{ to: bob.address, amount: UTXO }]), [utxos[0]!])
    expect(submit(ledger, withTransactions(template(ledger), [free]))).toEqual(SUCCESS)
    expect(wasAccepted(ledger, { id: transactionId(free) })).toBe(true)
  })

  it.each([
    [
      'an unsigned transaction',
      (utxo: UtxoEntry) =>
        committed(unsigned([utxo], [{ value: UTXO - FEE, scriptPublicKey: utxo.scriptPublicKey }]), [utxo]),
    ],
    [
      'a wrong mass',
      (utxo: UtxoEntry) => ({ ...alice.pay([utxo], [{ to: bob.address, amount: UTXO - FEE }]), mass: 1n }),
    ],
  ])('stores a block with %s, but disqualifies it from the chain and does not accept the transaction', (_, pay) => {
    const { ledger, utxos } = start()
    const before = ledger.expected.chain()
    const payment = pay(utxos[0]!)
    expect(submit(ledger, withTransactions(template(ledger), [payment]))).toEqual(SUCCESS)
    expect(ledger.expected.chain()).toEqual(before)
    expect(wasAccepted(ledger, { id: transactionId(payment) })).toBe(false)
  })

  it('accepts a non-standard output, for which calls that return its address fail', () => {
    const { ledger, utxos } = start()
    const nonStandard = alice.sign(
      unsigned([utxos[0]!], [{ value: UTXO - FEE, scriptPublicKey: { version: 0, script: '51' } }]),
      [utxos[0]!],
    )
    const payment = committed(nonStandard, [utxos[0]!])
    const startHash = ledger.expected.chain().at(-1)!
    expect(submit(ledger, withTransactions(template(ledger), [payment]))).toEqual(SUCCESS)
    ledger.mine({ now: NOW })
    const call = (dataVerbosityLevel: 'None' | 'Low') =>
      ledger.call('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel }, NOW)
    expect(call('None').ok).toBe(true)
    expect(call('Low')).toEqual({ ok: false, message: 'The address is invalid' })
    const [block] = ledger.expected.chain().slice(-2)
    const result = ledger.call('getBlock', { hash: block!, includeTransactions: true }, NOW)
    expect(result.ok && result.value.block.transactions[1]?.outputs[0]?.verboseData).toBeUndefined()
    const spending = unsigned(
      [utxoCreatedBy(payment)],
      [{ value: UTXO - 2n * FEE, scriptPublicKey: utxos[0]!.scriptPublicKey }],
    )
    expect(submit(ledger, withTransactions(template(ledger), [committed(spending, [utxoCreatedBy(payment)])]))).toEqual(
      SUCCESS,
    )
    ledger.mine({ now: NOW })
    const accepting = ledger.call(
      'getBlock',
      { hash: ledger.expected.chain().at(-1)!, includeTransactions: false },
      NOW,
    )
    const acceptingBlockDaaScore = accepting.ok ? accepting.value.block.header.daaScore : 0n
    expect(ledger.call('getUtxoReturnAddress', { txid: transactionId(spending), acceptingBlockDaaScore }, NOW)).toEqual(
      {
        ok: false,
        message: 'utxo inquirer error: Transaction was found but not standard',
      },
    )
  })

  const payment = (utxo: UtxoEntry) => committed(alice.pay([utxo], [{ to: alice.address, amount: UTXO - FEE }]), [utxo])
  it.each<[string, (block: RpcRawBlock, utxos: readonly UtxoEntry[]) => RpcRawBlock]>([
    [
      'a transaction and its child',
      (block, [utxo]) => {
        const parent = payment(utxo!)
        const child = alice.pay([utxoCreatedBy(parent)], [{ to: bob.address, amount: UTXO - 2n * FEE }])
        return withTransactions(block, [parent, child])
      },
    ],
    [
      'a double spend',
      (block, [utxo]) =>
        withTransactions(block, [
          payment(utxo!),
          committed(alice.pay([utxo!], [{ to: bob.address, amount: UTXO - FEE }]), [utxo!]),
        ]),
    ],
    ['one transaction twice', (block, [utxo]) => withTransactions(block, [payment(utxo!), payment(utxo!)])],
    ['a wrong merkle root', (block) => ({ ...block, header: { ...block.header, hashMerkleRoot: 'ab'.repeat(32) } })],
    ['an unknown parent', (block) => ({ ...block, header: { ...block.header, parentsByLevel: [['ab'.repeat(32)]] } })],
    ['no parent', (block) => ({ ...block, header: { ...block.header, parentsByLevel: [] } })],
    [
      'a parent and its own parent',
      (block) => ({
        ...block,
        header: { ...block.header, parentsByLevel: [[...block.header.parentsByLevel[0]!, block.header.pruningPoint]] },
      }),
    ],
    [
      'a timestamp far ahead',
      (block) => ({ ...block, header: { ...block.header, timestamp: BigInt(NOW) + 200_000n } }),
    ],
    ['a timestamp in the past', (block) => ({ ...block, header: { ...block.header, timestamp: 1n } })],
    ['no transactions', (block) => ({ ...block, transactions: [] })],
    ['another version', (block) => ({ ...block, header: { ...block.header, version: 1 } })],
    ['another score', (block) => ({ ...block, header: { ...block.header, daaScore: 99n } })],
    ['two coinbases', (block) => withTransactions(block, [block.transactions[0]!])],
  ])('rejects %s', (_, corrupt) => {
    const { ledger, utxos } = start()
    const before = ledger.expected.chain()
    expect(submit(ledger, corrupt(template(ledger), utxos))).toEqual(INVALID)
    expect(ledger.expected.chain()).toEqual(before)
  })
})

it('rejects a template for an address of another network, and for too much extra data', () => {
  const { ledger } = start()
  const call = (payAddress: string, extraData: string) =>
    ledger.call('getBlockTemplate', { payAddress, extraData }, NOW)
  expect(
    call(addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspa'), ''),
  ).toEqual({
    ok: false,
    message: 'The address has an invalid prefix kaspa',
  })
  expect(call(bob.address, 'ab'.repeat(200))).toEqual({
    ok: false,
    message: 'Coinbase payload is above max length (204). Try to shorten the extra data.',
  })
})
