import { afterAll, describe, expect, it } from 'vitest'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { ChainRestUtxoResponse } from '../../../src/rest/records/addresses.js'
import { FEE, type Wallet } from '../../devnode/ledger/wallet.js'
import { openTarget } from './target.js'

const target = await openTarget()
const { rest, payer, unusedAddress: recipient } = target
afterAll(() => target.close())

/** More sompi than a double holds exactly. */
const LARGE = 2n ** 53n + 1n

const toEntry = ({ outpoint, utxoEntry }: ChainRestUtxoResponse): UtxoEntry => ({
  outpoint: { transactionId: outpoint.transactionId ?? '', index: outpoint.index ?? 0 },
  amount: BigInt(utxoEntry.amount ?? 0),
  scriptPublicKey: { version: 0, script: utxoEntry.scriptPublicKey.script ?? '' },
  blockDaaScore: BigInt(utxoEntry.blockDaaScore ?? 0),
  isCoinbase: utxoEntry.isCoinbase === true,
})

/** Pays from the largest UTXO to the recipient, the change back: a large amount where there is so much. */
async function preparePayment(wallet: Wallet): Promise<{ transaction: Transaction; amount: bigint }> {
  const entries = (await rest.getUtxosByAddress(wallet.address, { forceRefresh: true })).map(toEntry)
  const [largest] = entries
    .filter(({ isCoinbase }) => !isCoinbase)
    .sort((left, right) => Number(right.amount - left.amount))
  if (largest === undefined) throw new Error(`${wallet.address} has no UTXO to spend`)
  const amount = largest.amount > 2n * LARGE ? LARGE : largest.amount / 4n
  const change = largest.amount - amount - FEE
  const outputs = [
    { to: recipient, amount },
    { to: wallet.address, amount: change },
  ]
  return { transaction: wallet.pay([largest], outputs), amount }
}

async function untilAccepted(id: string): Promise<void> {
  for (;;) {
    const [acceptance] = await rest.getTransactionAcceptance([id], { forceRefresh: true })
    if (acceptance?.accepted === true) return
    await target.mine()
  }
}

describe.skipIf(payer === undefined)(`a payment on a REST server (${target.name})`, () => {
  const wallet = payer!
  let transaction: Transaction
  let amount: bigint
  let id: string

  it('is submitted under the id that it has here', async () => {
    ;({ transaction, amount } = await preparePayment(wallet))
    id = transactionId(transaction)
    expect(await rest.submitTransaction(transaction)).toEqual({ transactionId: id, known: 'new' })
  })

  it('resolves when it is submitted again while the node has it in its mempool', async () => {
    expect(await rest.submitTransaction(transaction)).toEqual({ transactionId: id, known: 'mempool' })
  })

  it('is not found before a block includes it, and accepted later', async () => {
    await untilAccepted(id)
    expect(await rest.getTransaction(id, { forceRefresh: true })).toMatchObject({
      transactionId: id,
      is_accepted: true,
    })
  })

  it('has exact amounts and its sender, also above 2^53', async () => {
    const [found] = await rest.searchTransactions({ transactionIds: [id] }, { forceRefresh: true })
    expect(found?.outputs?.map(({ amountExact }) => amountExact)).toEqual(transaction.outputs.map(({ value }) => value))
    expect(found?.senderAddresses).toEqual([wallet.address])
    expect(await rest.getAddressBalance(recipient, { forceRefresh: true })).toEqual({
      address: recipient,
      balance: Number(amount),
      balanceExact: amount,
    })
    const [utxo] = await rest.getUtxosByAddress(recipient, { forceRefresh: true })
    expect(utxo).toMatchObject({ outpoint: { transactionId: id, index: 0 }, utxoEntry: { amount: String(amount) } })
  })

  it('is on the first page after 0, and on the newest page', async () => {
    const [first] = await rest.getFullTransactionsByAddressPage(recipient, { after: 0, forceRefresh: true })
    const [newest] = await rest.getFullTransactionsByAddressPage(recipient, { forceRefresh: true })
    expect([first?.transactionId, newest?.transactionId]).toEqual([id, id])
  })

  it('has no block hash that only the caller gave', async () => {
    const blockHash = 'ab'.repeat(32)
    const found = await rest.getTransaction(id, { blockHash, forceRefresh: true })
    expect(found?.block_hash ?? []).not.toContain(blockHash)
  })
})
