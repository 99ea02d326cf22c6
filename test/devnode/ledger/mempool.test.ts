import { describe, expect, it } from 'vitest'
import { admit } from '../../../src/devnode/ledger/mempool/admission.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { answerQuery } from '../../../src/devnode/ledger/queries/queries.js'
import { Templates } from '../../../src/devnode/ledger/steps/template.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { networkWith, recorded, replay, toTransaction, type RecordedTransaction } from './recorded.js'
import { coinMadeBy, coinsOf, FEE, send, walletOf, type Wallet } from './wallet.js'
import { chainOf, mineOn, receive, simnet, waiting } from './world.js'

const [alice, bob, carol] = [walletOf(0x33), walletOf(0x44), walletOf(0x55)]
const COIN = 10_000_000_000n

/** What the mempool said, without the id in front. */
function reasonFor(network: Network, transaction: Transaction): string {
  const admission = send(network, transaction)
  return admission.kind === 'refused' ? admission.message.replace(/^Rejected transaction \w+: /, '') : admission.kind
}

/** Payments to oneself, each spending the one before. */
function chainOfPayments(wallet: Wallet, length: number): readonly Transaction[] {
  const payments: Transaction[] = []
  let coin = coinsOf(wallet.address, 1)[0]!
  for (let generation = 0; generation < length; generation++) {
    const payment = wallet.pay([coin], [{ to: wallet.address, amount: coin.amount - FEE }])
    payments.push(payment)
    coin = coinMadeBy(payment)
  }
  return payments
}

const idsInTemplate = (network: Network, templates = new Templates(), now = 0): readonly string[] => {
  const answer = answerQuery({ network, templates, nodeVersion: '2.1.0', rpcMode: 'safe', now }, 'getBlockTemplate', {
    payAddress: bob.address,
    extraData: '',
  })
  if (!answer.ok) throw new Error(answer.message)
  return answer.value.block.transactions.slice(1).map(transactionId)
}

describe('transactions that depend on each other', () => {
  it('wait together, and enter one generation a block', () => {
    const network = simnet(coinsOf(alice.address, 1))
    const payments = chainOfPayments(alice, 6)
    for (const payment of payments) send(network, payment)
    const ids = payments.map(transactionId)
    const steps = Array.from({ length: 7 }, (_, block) => {
      const step = {
        block,
        mempool: waiting(network).map((id) => ids.indexOf(id)),
        template: idsInTemplate(network).map((id) => ids.indexOf(id)),
      }
      mineOn(network)
      return step
    })
    expect(steps).toEqual(recorded('chain-of-6').steps)
  })

  it('cannot spend an output that their parent does not have', () => {
    const network = simnet(coinsOf(alice.address, 1))
    const [parent] = chainOfPayments(alice, 1)
    send(network, parent!)
    const coin = coinMadeBy(parent!)
    const child = alice.pay(
      [{ ...coin, outpoint: { ...coin.outpoint, index: 7 } }],
      [{ to: bob.address, amount: 1_000_000_000n }],
    )
    expect(reasonFor(network, child)).toBe(
      'at least one outpoint of the transaction is impossible to have a matching UTXO entry',
    )
    mineOn(network)
    expect(reasonFor(network, child)).toBe(
      `transaction ${transactionId(child)} is an orphan where orphan is disallowed`,
    )
  })

  it('are taken with a sequence that asks for age, and enter a block when they have it', () => {
    const network = networkWith(coinsOf(alice.address, 1), 30)
    const [parent] = chainOfPayments(alice, 1)
    send(network, parent!)
    const coin = coinMadeBy(parent!)
    const child = alice.pay([coin], [{ to: bob.address, amount: coin.amount - FEE }], { sequence: 3n })
    expect(reasonFor(network, child)).toBe('admitted')
    const isWaiting = Array.from({ length: 5 }, () => {
      mineOn(network)
      return waiting(network).length
    })
    expect(isWaiting).toEqual([1, 1, 1, 1, 0])
  })

  it('go with a rival that a block brings, and so do those that spend from them', () => {
    const [here, there] = [simnet(coinsOf(alice.address, 1)), simnet(coinsOf(alice.address, 1))]
    const [parent, child] = chainOfPayments(alice, 2)
    send(here, parent!)
    send(here, child!)
    const rival = alice.pay(coinsOf(alice.address, 1), [{ to: bob.address, amount: COIN - FEE }])
    send(there, rival)
    mineOn(there)
    receive(here, chainOf(there)[0]!)
    expect(waiting(here)).toEqual([])
    const id = transactionId(parent!)
    expect(reasonFor(here, parent!)).toBe(`transaction ${id} is an orphan where orphan is disallowed`)
  })
})

describe('replacement by fee', () => {
  const replace = (network: Network, transaction: Transaction) =>
    admit(network, transaction, { rival: 'replace', missingCoin: 'refuse' })

  it('needs exactly one rival', () => {
    const network = simnet(coinsOf(alice.address, 2))
    const coins = coinsOf(alice.address, 2)
    for (const coin of coins) send(network, alice.pay([coin], [{ to: bob.address, amount: COIN - FEE }]))
    const both = alice.pay(coins, [{ to: bob.address, amount: 2n * COIN - 9n * FEE }])
    expect(replace(network, both)).toMatchObject({
      message: `Rejected transaction ${transactionId(both)}: replace by fee found more than one double spending transaction in the mempool`,
    })
  })

  it('takes one sompi more and not the same, judged before the signature', () => {
    const { submit, answer } = recorded('rbf-one-sompi-more')
    const { replacedTransaction } = answer as { replacedTransaction: RecordedTransaction }
    const base = toTransaction(replacedTransaction)
    const network = networkWith(
      coinsOf(alice.address, 1).map((coin) => ({ ...coin, outpoint: base.inputs[0]!.previousOutpoint })),
    )
    expect(send(network, base).kind).toBe('admitted')
    const same = recorded('rbf-same-feerate-exact')
    expect(replay(network, { ...same, method: 'submitTransactionReplacement' })).toBe(same.error)
    const unsigned = toTransaction(same.submit!)
    const bare = { ...unsigned, inputs: unsigned.inputs.map((input) => ({ ...input, signatureScript: '' })) }
    expect(replace(network, bare)).toMatchObject({ message: recorded('rbf-same-feerate-unsigned').error })
    const admission = replace(network, toTransaction(submit!))
    expect(admission).toMatchObject({ kind: 'admitted', id: answer?.transactionId })
    expect(waiting(network)).toEqual([answer?.transactionId])
  })
})

describe('a block template', () => {
  it('stands for a second, although the mempool has changed, or until the next block', () => {
    const network = simnet(coinsOf(alice.address, 2))
    const templates = new Templates()
    const [first, second] = coinsOf(alice.address, 2).map((coin) =>
      alice.pay([coin], [{ to: bob.address, amount: COIN - FEE }]),
    )
    expect(idsInTemplate(network, templates, 0)).toEqual([])
    send(network, first!)
    expect(idsInTemplate(network, templates, 1000)).toEqual([])
    expect(idsInTemplate(network, templates, 1001)).toEqual([transactionId(first!)])
    send(network, second!)
    expect(idsInTemplate(network, templates, 1500)).toEqual([transactionId(first!)])
    mineOn(network)
    expect(idsInTemplate(network, templates, 1500)).toEqual([])
  })

  it('holds what pays best, as far as a block reaches', () => {
    const network = simnet(coinsOf(alice.address, 310))
    for (const [index, coin] of coinsOf(alice.address, 310).entries())
      send(network, alice.pay([coin], [{ to: bob.address, amount: COIN - FEE - BigInt(index) }]))
    const { transactions } = recorded('fee-estimate').templateThen as { readonly transactions: number }
    const ids = idsInTemplate(network)
    expect(ids).toHaveLength(transactions)
    const left = waiting(network).filter((id) => !ids.includes(id))
    expect(left).toEqual(waiting(network).slice(0, 3))
  }, 20_000)
})

describe('an included transaction', () => {
  const network = simnet(coinsOf(alice.address, 1))
  const payment = alice.pay(coinsOf(alice.address, 1), [{ to: bob.address, amount: COIN - FEE }])
  const id = transactionId(payment)
  send(network, payment)
  mineOn(network)

  it('is remembered as accepted for 1,200 DAA, and is an orphan afterwards', () => {
    mineOn(network, 1199)
    expect(reasonFor(network, payment)).toBe(`transaction ${id} was already accepted by the consensus`)
    mineOn(network, 1)
    expect(reasonFor(network, payment)).toBe(`transaction ${id} is an orphan where orphan is disallowed`)
  }, 20_000)
})

describe('questions about the mempool', () => {
  const network = simnet(coinsOf(alice.address, 1))
  const first = alice.pay(coinsOf(alice.address, 1), [
    { to: bob.address, amount: 300_000_000n },
    { to: alice.address, amount: 9_699_000_000n },
  ])
  const second = bob.pay([coinMadeBy(first)], [{ to: carol.address, amount: 299_000_000n }])
  const orphan = carol.pay(
    [{ ...coinMadeBy(second), outpoint: { transactionId: 'ef'.repeat(32), index: 3 } }],
    [{ to: alice.address, amount: 200_000_000n }],
  )
  send(network, first)
  send(network, second)
  admit(network, orphan, { rival: 'refuse', missingCoin: 'keep as orphan' })
  const scope = { network, templates: new Templates(), nodeVersion: '2.1.0', rpcMode: 'safe' as const, now: 0 }
  const flags = { includeOrphanPool: false, filterTransactionPool: false }

  it('are answered by address, each address once, with what it sends and receives', () => {
    const unused = walletOf(0x77).address
    const addresses = [alice.address, bob.address, carol.address, unused, alice.address]
    const answer = answerQuery(scope, 'getMempoolEntriesByAddresses', { addresses, ...flags })
    const ids = (entries: readonly { transaction: { verboseData?: { transactionId: string } | undefined } }[]) =>
      entries.map(({ transaction }) =>
        transaction.verboseData?.transactionId === transactionId(first) ? 'first' : 'second',
      )
    expect(
      answer.ok &&
        answer.value.entries.map(({ address, sending, receiving }) => [address, ids(sending), ids(receiving)]),
    ).toEqual([
      [alice.address, ['first'], ['first']],
      [bob.address, ['second'], ['first']],
      [carol.address, [], ['second']],
      [unused, [], []],
    ])
  })

  it('tell an entry by its id, with the masses that the node reckons', () => {
    const { entry } = recorded('storage-0.1KAS-entry') as { readonly entry?: object }
    expect(entry).toBeDefined()
    const answer = answerQuery(scope, 'getMempoolEntry', { transactionId: transactionId(first), ...flags })
    expect(answer).toMatchObject({
      ok: true,
      value: {
        mempoolEntry: {
          fee: FEE,
          isOrphan: false,
          transaction: { mass: 3336n, verboseData: { computeMass: 2036n, blockHash: '0'.repeat(64), blockTime: 0n } },
        },
      },
    })
  })

  it('tell of orphans only when asked, without a fee', () => {
    const id = transactionId(orphan)
    expect(answerQuery(scope, 'getMempoolEntry', { transactionId: id, ...flags })).toEqual({
      ok: false,
      message: `Transaction ${id} not found`,
    })
    const count = (includeOrphanPool: boolean, filterTransactionPool: boolean) => {
      const answer = answerQuery(scope, 'getMempoolEntries', { includeOrphanPool, filterTransactionPool })
      return answer.ok ? answer.value.mempoolEntries.map(({ isOrphan, fee }) => [isOrphan, fee]) : answer.message
    }
    expect(count(false, false)).toEqual([
      [false, FEE],
      [false, 1_000_000n],
    ])
    expect(count(true, true)).toEqual([[true, 0n]])
    expect(count(true, false)).toHaveLength(3)
    expect(count(false, true)).toBe('transaction query must either not filter transactions or include orphans')
  })
})
