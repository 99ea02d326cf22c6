import { describe, expect, it } from 'vitest'
import { admit } from '../../../src/devnode/ledger/mempool/admission.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { runQuery } from '../../../src/devnode/ledger/queries/queries.js'
import { Templates } from '../../../src/devnode/ledger/steps/mine.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { networkWith, recorded, replay, toTransaction, type RecordedTransaction } from './recorded.js'
import { utxoCreatedBy, utxosOf, FEE, send, walletOf, type Wallet } from './wallet.js'
import { chainOf, mineOn, receive, simnet, mempoolIds } from './simnet.js'

const [alice, bob, carol] = [walletOf(0x33), walletOf(0x44), walletOf(0x55)]
const UTXO = 10_000_000_000n

/** The error message without the id prefix, or the kind of admission. */
function reasonFor(network: Network, transaction: Transaction): string {
  const admission = send(network, transaction)
  return admission.kind === 'rejected' ? admission.message.replace(/^Rejected transaction \w+: /, '') : admission.kind
}

/** Payments to the own address, each spending the previous one. */
function chainOfPayments(wallet: Wallet, length: number): readonly Transaction[] {
  const payments: Transaction[] = []
  let utxo = utxosOf(wallet.address, 1)[0]!
  for (let generation = 0; generation < length; generation++) {
    const payment = wallet.pay([utxo], [{ to: wallet.address, amount: utxo.amount - FEE }])
    payments.push(payment)
    utxo = utxoCreatedBy(payment)
  }
  return payments
}

const idsInTemplate = (network: Network, templates = new Templates(), now = 0): readonly string[] => {
  const result = runQuery({ network, templates, nodeVersion: '2.1.0', rpcMode: 'safe', now }, 'getBlockTemplate', {
    payAddress: bob.address,
    extraData: '',
  })
  if (!result.ok) throw new Error(result.message)
  return result.value.block.transactions.slice(1).map(transactionId)
}

describe('dependent transactions', () => {
  it('enter blocks one generation at a time', () => {
    const network = simnet(utxosOf(alice.address, 1))
    const payments = chainOfPayments(alice, 6)
    for (const payment of payments) send(network, payment)
    const ids = payments.map(transactionId)
    const steps = Array.from({ length: 7 }, (_, block) => {
      const step = {
        block,
        mempool: mempoolIds(network).map((id) => ids.indexOf(id)),
        template: idsInTemplate(network).map((id) => ids.indexOf(id)),
      }
      mineOn(network)
      return step
    })
    expect(steps).toEqual(recorded('chain-of-6').steps)
  })

  it('are rejected if the parent has no such output', () => {
    const network = simnet(utxosOf(alice.address, 1))
    const [parent] = chainOfPayments(alice, 1)
    send(network, parent!)
    const utxo = utxoCreatedBy(parent!)
    const child = alice.pay(
      [{ ...utxo, outpoint: { ...utxo.outpoint, index: 7 } }],
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

  it('with a sequence lock are admitted, and enter a block once it is met', () => {
    const network = networkWith(utxosOf(alice.address, 1), 30)
    const [parent] = chainOfPayments(alice, 1)
    send(network, parent!)
    const utxo = utxoCreatedBy(parent!)
    const child = alice.pay([utxo], [{ to: bob.address, amount: utxo.amount - FEE }], { sequence: 3n })
    expect(reasonFor(network, child)).toBe('admitted')
    const sizes = Array.from({ length: 5 }, () => {
      mineOn(network)
      return mempoolIds(network).length
    })
    expect(sizes).toEqual([1, 1, 1, 1, 0])
  })

  it('are removed with descendants when a block includes a double spend', () => {
    const [here, there] = [simnet(utxosOf(alice.address, 1)), simnet(utxosOf(alice.address, 1))]
    const [parent, child] = chainOfPayments(alice, 2)
    send(here, parent!)
    send(here, child!)
    const doubleSpend = alice.pay(utxosOf(alice.address, 1), [{ to: bob.address, amount: UTXO - FEE }])
    send(there, doubleSpend)
    mineOn(there)
    receive(here, chainOf(there)[0]!)
    expect(mempoolIds(here)).toEqual([])
    const id = transactionId(parent!)
    expect(reasonFor(here, parent!)).toBe(`transaction ${id} is an orphan where orphan is disallowed`)
  })
})

describe('replacement by fee', () => {
  const replace = (network: Network, transaction: Transaction) =>
    admit(network, transaction, { rbf: 'required', missingUtxo: 'reject' })

  it('rejects two double spends', () => {
    const network = simnet(utxosOf(alice.address, 2))
    const utxos = utxosOf(alice.address, 2)
    for (const utxo of utxos) send(network, alice.pay([utxo], [{ to: bob.address, amount: UTXO - FEE }]))
    const both = alice.pay(utxos, [{ to: bob.address, amount: 2n * UTXO - 9n * FEE }])
    expect(replace(network, both)).toMatchObject({
      message: `Rejected transaction ${transactionId(both)}: replace by fee found more than one double spending transaction in the mempool`,
    })
  })

  it('requires a higher feerate, validated before the signature', () => {
    const { submit, response } = recorded('rbf-one-sompi-more')
    const { replacedTransaction } = response as { replacedTransaction: RecordedTransaction }
    const base = toTransaction(replacedTransaction)
    const network = networkWith(
      utxosOf(alice.address, 1).map((utxo) => ({ ...utxo, outpoint: base.inputs[0]!.previousOutpoint })),
    )
    expect(send(network, base).kind).toBe('admitted')
    const same = recorded('rbf-same-feerate-exact')
    expect(replay(network, { ...same, method: 'submitTransactionReplacement' })).toBe(same.error)
    const unsigned = toTransaction(same.submit!)
    const bare = { ...unsigned, inputs: unsigned.inputs.map((input) => ({ ...input, signatureScript: '' })) }
    expect(replace(network, bare)).toMatchObject({ message: recorded('rbf-same-feerate-unsigned').error })
    const admission = replace(network, toTransaction(submit!))
    expect(admission).toMatchObject({ kind: 'admitted', id: response?.transactionId })
    expect(mempoolIds(network)).toEqual([response?.transactionId])
  })
})

describe('block template', () => {
  it('keeps its transactions for one second or until the next block', () => {
    const network = simnet(utxosOf(alice.address, 2))
    const templates = new Templates()
    const [first, second] = utxosOf(alice.address, 2).map((utxo) =>
      alice.pay([utxo], [{ to: bob.address, amount: UTXO - FEE }]),
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

  it('holds the highest feerates up to the block limits', () => {
    const network = simnet(utxosOf(alice.address, 310))
    for (const [index, utxo] of utxosOf(alice.address, 310).entries())
      send(network, alice.pay([utxo], [{ to: bob.address, amount: UTXO - FEE - BigInt(index) }]))
    const { transactions } = recorded('fee-estimate').templateThen as { readonly transactions: number }
    const ids = idsInTemplate(network)
    expect(ids).toHaveLength(transactions)
    const remaining = mempoolIds(network).filter((id) => !ids.includes(id))
    expect(remaining).toEqual(mempoolIds(network).slice(0, 3))
  })
})

describe('included transaction', () => {
  const network = simnet(utxosOf(alice.address, 1))
  const payment = alice.pay(utxosOf(alice.address, 1), [{ to: bob.address, amount: UTXO - FEE }])
  const id = transactionId(payment)
  send(network, payment)
  mineOn(network)

  it('is rejected as accepted for 1,200 DAA, and as an orphan afterwards', () => {
    mineOn(network, 1199)
    expect(reasonFor(network, payment)).toBe(`transaction ${id} was already accepted by the consensus`)
    mineOn(network, 1)
    expect(reasonFor(network, payment)).toBe(`transaction ${id} is an orphan where orphan is disallowed`)
  })
})

describe('mempool queries', () => {
  const network = simnet(utxosOf(alice.address, 1))
  const first = alice.pay(utxosOf(alice.address, 1), [
    { to: bob.address, amount: 300_000_000n },
    { to: alice.address, amount: 9_699_000_000n },
  ])
  const second = bob.pay([utxoCreatedBy(first)], [{ to: carol.address, amount: 299_000_000n }])
  const orphan = carol.pay(
    [{ ...utxoCreatedBy(second), outpoint: { transactionId: 'ef'.repeat(32), index: 3 } }],
    [{ to: alice.address, amount: 200_000_000n }],
  )
  send(network, first)
  send(network, second)
  admit(network, orphan, { rbf: 'forbidden', missingUtxo: 'keep-as-orphan' })
  const scope = { network, templates: new Templates(), nodeVersion: '2.1.0', rpcMode: 'safe' as const, now: 0 }
  const flags = { includeOrphanPool: false, filterTransactionPool: false }

  it('return sending and receiving entries once per address', () => {
    const unused = walletOf(0x77).address
    const addresses = [alice.address, bob.address, carol.address, unused, alice.address]
    const result = runQuery(scope, 'getMempoolEntriesByAddresses', { addresses, ...flags })
    const ids = (entries: readonly { transaction: { verboseData?: { transactionId: string } | undefined } }[]) =>
      entries.map(({ transaction }) =>
        transaction.verboseData?.transactionId === transactionId(first) ? 'first' : 'second',
      )
    expect(
      result.ok &&
        result.value.entries.map(({ address, sending, receiving }) => [address, ids(sending), ids(receiving)]),
    ).toEqual([
      [alice.address, ['first'], ['first']],
      [bob.address, ['second'], ['first']],
      [carol.address, [], ['second']],
      [unused, [], []],
    ])
  })

  it('return an entry by id, with the masses computed by the node', () => {
    const { entry } = recorded('storage-0.1KAS-entry') as { readonly entry?: object }
    expect(entry).toBeDefined()
    const result = runQuery(scope, 'getMempoolEntry', { transactionId: transactionId(first), ...flags })
    expect(result).toMatchObject({
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

  it('include orphans only on request, without a fee', () => {
    const id = transactionId(orphan)
    expect(runQuery(scope, 'getMempoolEntry', { transactionId: id, ...flags })).toEqual({
      ok: false,
      message: `Transaction ${id} not found`,
    })
    const count = (includeOrphanPool: boolean, filterTransactionPool: boolean) => {
      const result = runQuery(scope, 'getMempoolEntries', { includeOrphanPool, filterTransactionPool })
      return result.ok ? result.value.mempoolEntries.map(({ isOrphan, fee }) => [isOrphan, fee]) : result.message
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
