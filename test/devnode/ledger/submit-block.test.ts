import { describe, expect, it } from 'vitest'
import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { addressOfPublicKey } from '../../../src/model/address.js'
import { hashMerkleRoot } from '../../../src/model/block.js'
import { storageMass } from '../../../src/model/mass.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { RpcRawBlock } from '../../../src/node/messages/records.js'
import { coinMadeBy, FEE, unsigned, walletOf } from './wallet.js'

const [alice, bob] = [walletOf(0x33), walletOf(0x44)]
const COIN = 10_000_000_000n
const NOW = 1_795_234_286_708

const start = (): { readonly ledger: Ledger; readonly coins: readonly UtxoEntry[] } => {
  const ledger = createLedger({
    genesisCoins: Array.from({ length: 3 }, () => ({ address: alice.address, amount: COIN })),
  })
  ledger.mine({ now: NOW, count: 3 })
  return { ledger, coins: ledger.truth.utxos([alice.address]) }
}

function template(ledger: Ledger): RpcRawBlock {
  const answer = ledger.answer('getBlockTemplate', { payAddress: bob.address, extraData: '' }, NOW)
  if (!answer.ok) throw new Error(answer.message)
  return answer.value.block
}

/** A template with other transactions, and the root that fits them. */
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
  return ledger.truth.accepted().some(({ acceptedTransactionIds }) => acceptedTransactionIds.includes(id))
}

describe('a block that somebody submits', () => {
  it('is taken as its template came, and taken for known the second time', () => {
    const { ledger } = start()
    const block = template(ledger)
    expect(submit(ledger, block)).toEqual(SUCCESS)
    expect(ledger.truth.chain()).toHaveLength(5)
    expect(ledger.submitBlock({ block, allowNonDaaBlocks: false }, NOW)).toEqual({
      result: { report: SUCCESS },
      events: [],
    })
  })

  it('may hold a transaction without a fee, which the mempool would not take', () => {
    const { ledger, coins } = start()
    const free = committed(alice.pay([coins[0]!], [{ to: bob.address, amount: COIN }]), [coins[0]!])
    expect(submit(ledger, withTransactions(template(ledger), [free]))).toEqual(SUCCESS)
    expect(wasAccepted(ledger, { id: transactionId(free) })).toBe(true)
  })

  it.each([
    [
      'an unsigned transaction',
      (coin: UtxoEntry) =>
        committed(unsigned([coin], [{ value: COIN - FEE, scriptPublicKey: coin.scriptPublicKey }]), [coin]),
    ],
    [
      'a wrong mass',
      (coin: UtxoEntry) => ({ ...alice.pay([coin], [{ to: bob.address, amount: COIN - FEE }]), mass: 1n }),
    ],
  ])('is stored with %s, but the chain goes around it and the transaction never takes effect', (_, pay) => {
    const { ledger, coins } = start()
    const before = ledger.truth.chain()
    const payment = pay(coins[0]!)
    expect(submit(ledger, withTransactions(template(ledger), [payment]))).toEqual(SUCCESS)
    expect(ledger.truth.chain()).toEqual(before)
    expect(wasAccepted(ledger, { id: transactionId(payment) })).toBe(false)
  })

  it('may hold a non-standard output; what asks for its address is refused then', () => {
    const { ledger, coins } = start()
    const odd = alice.sign(
      unsigned([coins[0]!], [{ value: COIN - FEE, scriptPublicKey: { version: 0, script: '51' } }]),
      [coins[0]!],
    )
    const payment = committed(odd, [coins[0]!])
    const startHash = ledger.truth.chain().at(-1)!
    expect(submit(ledger, withTransactions(template(ledger), [payment]))).toEqual(SUCCESS)
    ledger.mine({ now: NOW })
    const ask = (dataVerbosityLevel: 'None' | 'Low') =>
      ledger.answer('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel }, NOW)
    expect(ask('None').ok).toBe(true)
    expect(ask('Low')).toEqual({ ok: false, message: 'The address is invalid' })
    const [block] = ledger.truth.chain().slice(-2)
    const answer = ledger.answer('getBlock', { hash: block!, includeTransactions: true }, NOW)
    expect(answer.ok && answer.value.block.transactions[1]?.outputs[0]?.verboseData).toBeUndefined()
    const spending = unsigned(
      [coinMadeBy(payment)],
      [{ value: COIN - 2n * FEE, scriptPublicKey: coins[0]!.scriptPublicKey }],
    )
    expect(submit(ledger, withTransactions(template(ledger), [committed(spending, [coinMadeBy(payment)])]))).toEqual(
      SUCCESS,
    )
    ledger.mine({ now: NOW })
    const accepting = ledger.answer('getBlock', { hash: ledger.truth.chain().at(-1)!, includeTransactions: false }, NOW)
    const acceptingBlockDaaScore = accepting.ok ? accepting.value.block.header.daaScore : 0n
    expect(
      ledger.answer('getUtxoReturnAddress', { txid: transactionId(spending), acceptingBlockDaaScore }, NOW),
    ).toEqual({
      ok: false,
      message: 'utxo inquirer error: Transaction was found but not standard',
    })
  })

  const payment = (coin: UtxoEntry) => committed(alice.pay([coin], [{ to: alice.address, amount: COIN - FEE }]), [coin])
  it.each<[string, (block: RpcRawBlock, coins: readonly UtxoEntry[]) => RpcRawBlock]>([
    [
      'a transaction and its child',
      (block, [coin]) => {
        const parent = payment(coin!)
        const child = alice.pay([coinMadeBy(parent)], [{ to: bob.address, amount: COIN - 2n * FEE }])
        return withTransactions(block, [parent, child])
      },
    ],
    [
      'two spends of one coin',
      (block, [coin]) =>
        withTransactions(block, [
          payment(coin!),
          committed(alice.pay([coin!], [{ to: bob.address, amount: COIN - FEE }]), [coin!]),
        ]),
    ],
    ['one transaction twice', (block, [coin]) => withTransactions(block, [payment(coin!), payment(coin!)])],
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
  ])('is refused with %s', (_, spoil) => {
    const { ledger, coins } = start()
    const before = ledger.truth.chain()
    expect(submit(ledger, spoil(template(ledger), coins))).toEqual(INVALID)
    expect(ledger.truth.chain()).toEqual(before)
  })
})

it('refuses a template for an address of another network, and for too much extra data', () => {
  const { ledger } = start()
  const ask = (payAddress: string, extraData: string) =>
    ledger.answer('getBlockTemplate', { payAddress, extraData }, NOW)
  expect(
    ask(addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspa'), ''),
  ).toEqual({
    ok: false,
    message: 'The address has an invalid prefix kaspa',
  })
  expect(ask(bob.address, 'ab'.repeat(200))).toEqual({
    ok: false,
    message: 'Coinbase payload is above max length (204). Try to shorten the extra data.',
  })
})
