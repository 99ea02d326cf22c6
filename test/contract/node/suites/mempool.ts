import { describe, expect, it } from 'vitest'
import { minimumFee } from '../../../../src/model/mass.js'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { Transaction } from '../../../../src/model/transaction.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment, sign, type PaymentPlan } from '../support/payment.js'

const KAS = 100_000_000n

/** Mempool entries, acceptance and rejection of transactions. */
export function mempool(node: NodeUnderTest): void {
  const { client } = node
  const submit = (transaction: Transaction) => client.call('submitTransaction', { transaction, allowOrphan: false })
  const rejection = async (transaction: Transaction) => {
    const text = await client.rejection('submitTransaction', { transaction, allowOrphan: false })
    return text.replaceAll(transactionId(transaction), '<id>')
  }
  /** A valid plan with overrides. */
  const plan = async (change: Partial<PaymentPlan> = {}): Promise<PaymentPlan> => {
    const { utxo, account } = await node.utxo()
    return { from: account, utxos: [utxo], to: [{ address: node.newAccount().address, amount: KAS }], ...change }
  }

  /** Submits a payment between two templates; `duration` in ms is that of these three calls. */
  const submitBetweenTemplates = async () => {
    const payment = createPayment(await plan())
    await node.mine()
    const started = performance.now()
    const before = await node.template()
    await submit(payment.transaction)
    const after = await node.template()
    return { payment, before, after, duration: performance.now() - started }
  }

  describe('the mempool', () => {
    it('returns a payment by its id, with fee, masses and no block', async () => {
      const payment = createPayment(await plan({ fee: 1_000_000n }))
      await submit(payment.transaction)
      const { mempoolEntry } = await client.call('getMempoolEntry', {
        transactionId: payment.transactionId,
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      expect(mempoolEntry).toMatchObject({ fee: 1_000_000n, isOrphan: false })
      expect(mempoolEntry.transaction.mass).toBe(payment.transaction.mass)
      expect(mempoolEntry.transaction.verboseData).toMatchObject({
        transactionId: payment.transactionId,
        computeMass: 2036n,
        blockHash: '00'.repeat(32),
        blockTime: 0n,
      })
      await node.include(payment.transactionId)
    })

    it('computes the mass and ignores the submitted one', async () => {
      const payment = createPayment(await plan())
      await submit({ ...payment.transaction, mass: 12_345n })
      const { mempoolEntries } = await client.call('getMempoolEntries', {
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      const found = mempoolEntries.find(
        ({ transaction }) => transaction.verboseData?.transactionId === payment.transactionId,
      )
      expect(found?.transaction.mass).toBe(payment.transaction.mass)
      await node.include(payment.transactionId)
    })

    it('lists sending and receiving entries per address, once for duplicates, and empty lists for unused addresses', async () => {
      const receiver = node.newAccount().address
      const unused = node.newAccount().address
      const details = await plan({ to: [{ address: receiver, amount: KAS }] })
      const payment = createPayment(details)
      await submit(payment.transaction)
      const addresses = [details.from.address, receiver, unused, receiver]
      const { entries } = await client.call('getMempoolEntriesByAddresses', {
        addresses,
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      const ids = (address: string, list: 'sending' | 'receiving') =>
        entries
          .find((entry) => entry.address === address)
          ?.[list].map(({ transaction }) => transaction.verboseData?.transactionId)
      expect(entries.map(({ address }) => address).sort()).toEqual([details.from.address, receiver, unused].sort())
      expect(ids(details.from.address, 'sending')).toContain(payment.transactionId)
      expect(ids(details.from.address, 'receiving')).toContain(payment.transactionId) // the change
      expect([ids(receiver, 'sending'), ids(receiver, 'receiving')]).toEqual([[], [payment.transactionId]])
      expect([ids(unused, 'sending'), ids(unused, 'receiving')]).toEqual([[], []])
      await node.include(payment.transactionId)
    })

    it('caches a template for one second: a transaction submitted meanwhile is in the template after the next block', async () => {
      let attempt = await submitBetweenTemplates()
      while (attempt.duration >= 1_000) attempt = await submitBetweenTemplates() // a busy machine
      const { before, payment, after } = attempt
      expect(after.transactions.map(transactionId)).not.toContain(payment.transactionId)
      await node.submit(before)
      expect((await node.template()).transactions.map(transactionId)).toContain(payment.transactionId)
      await node.include(payment.transactionId)
    })
  })

  describe('a transaction is rejected', () => {
    it('whose UTXO is spent by another transaction in the mempool', async () => {
      const details = await plan()
      const first = createPayment(details)
      await submit(first.transaction)
      const { transactionId: utxo, index } = details.utxos[0]!.outpoint
      const second = createPayment({ ...details, to: [{ address: node.newAccount().address, amount: 2n * KAS }] })
      expect(await rejection(second.transaction)).toBe(
        `Rejected transaction <id>: output (${utxo}, ${index}) already spent by transaction ${first.transactionId} in the mempool`,
      )
      await node.include(first.transactionId)
    })

    it('whose UTXO is unknown or spent on the chain; allowOrphan has an effect only with unsafe RPC', async () => {
      const details = await plan()
      const first = createPayment(details)
      await submit(first.transaction)
      await node.include(first.transactionId)
      const second = createPayment({ ...details, to: [{ address: node.newAccount().address, amount: 2n * KAS }] })
      expect(await rejection(second.transaction)).toBe(
        'Rejected transaction <id>: transaction <id> is an orphan where orphan is disallowed',
      )
    })

    it('with a fee one sompi below 100 sompi per gram of compute mass', async () => {
      const details = await plan({ fee: 203_599n })
      expect(await rejection(createPayment(details).transaction)).toBe(
        'Rejected transaction <id>: transaction <id> is not standard: transaction has 203599 fees which is under the required amount of 203600 for compute mass 2036',
      )
      const enough = createPayment({ ...details, fee: 203_600n })
      await submit(enough.transaction)
      await node.include(enough.transactionId)
    })

    it('with a fee below 200 sompi per byte, where that is higher', async () => {
      const details = await plan({ payload: 'ab'.repeat(3_000) })
      const exact = createPayment(details)
      const fee = minimumFee(exact.transaction)
      expect(await rejection(createPayment({ ...details, fee: fee - 1n }).transaction)).toBe(
        `Rejected transaction <id>: transaction <id> is not standard: transaction has ${fee - 1n} fees which is under the required amount of ${fee} for normalized transient mass ${fee / 100n} (proportional to transaction byte size)`,
      )
      await submit(exact.transaction)
      await node.include(exact.transactionId)
    })

    it('whose outputs exceed the storage mass limit', async () => {
      const details = await plan({ to: [{ address: node.newAccount().address, amount: 10n }] })
      expect(await rejection(createPayment(details).transaction)).toMatch(
        /^Rejected transaction <id>: transaction storage mass of \d+ is larger than max allowed size of 500000$/,
      )
    })

    it('that spends more than its inputs', async () => {
      const details = await plan()
      const available = details.utxos[0]!.amount
      const { transaction } = createPayment({ ...details, fee: 0n })
      const [first, ...others] = transaction.outputs
      const overspending = sign(
        { ...transaction, outputs: [{ ...first!, value: first!.value + 1n }, ...others] },
        details,
      )
      expect(await rejection(overspending)).toBe(
        `Rejected transaction <id>: transaction tries to spend ${available + 1n} while its total inputs amount is ${available}`,
      )
    })

    it('with a wrong or missing signature', async () => {
      const { transaction } = createPayment(await plan())
      const [input] = transaction.inputs
      const changed = { ...transaction, lockTime: 1n }
      expect(await rejection(changed)).toBe(
        'Rejected transaction <id>: failed to verify the signature script: false stack entry at end of script execution',
      )
      expect(await rejection({ ...transaction, inputs: [{ ...input!, signatureScript: '' }] })).toBe(
        'Rejected transaction <id>: failed to verify empty signature script. Inner error: opcode requires at least 2 but stack has only 1',
      )
      expect(await rejection({ ...transaction, inputs: [{ ...input!, sigOpCount: 0 }] })).toBe(
        'Rejected transaction <id>: failed to verify the signature script: script units exceeded the amount committed in the input: used=100000, limit=9999',
      )
    })

    it('with invalid fields', async () => {
      const { transaction } = createPayment(await plan())
      const { inputs, outputs } = transaction
      const rejected = (reason: string) => `Rejected transaction <id>: ${reason}`
      expect(await rejection({ ...transaction, inputs: [] })).toBe(rejected('transaction has no inputs'))
      expect(await rejection({ ...transaction, inputs: [...inputs, ...inputs] })).toBe(
        rejected('transaction has duplicate inputs'),
      )
      expect(await rejection({ ...transaction, outputs: [{ ...outputs[0]!, value: 0n }] })).toBe(
        rejected('transaction output 0 has zero value'),
      )
      expect(await rejection({ ...transaction, gas: 5n })).toBe(
        rejected('transaction has non-zero gas: gas is only allowed for Toccata-or-newer tx versions'),
      )
      expect(await rejection({ ...transaction, subnetworkId: `03${'00'.repeat(19)}` })).toBe(
        rejected(`transaction subnetwork id 03${'00'.repeat(19)} is neither native nor coinbase`),
      )
      expect(await rejection({ ...transaction, subnetworkId: `01${'00'.repeat(19)}` })).toBe(
        rejected('coinbase transaction <id> cannot be added to the mempool'),
      )
      expect(
        await rejection({
          ...transaction,
          outputs: [{ ...outputs[0]!, scriptPublicKey: { version: 0, script: '51' } }],
        }),
      ).toBe(rejected('transaction <id> is not standard: transaction output #0: non-standard script form'))
      expect(await rejection({ ...transaction, lockTime: 10_000_000n })).toBe(
        rejected('transaction input #0 is not finalized'),
      )
    })

    it('whose fields do not match its version, with a message without prefix', async () => {
      const { transaction } = createPayment(await plan())
      const [input] = transaction.inputs
      expect(await rejection({ ...transaction, version: 1 })).toBe(
        'RpcTransactionInput.sig_op_count is inconsistent with transaction version 1',
      )
      expect(await rejection({ ...transaction, inputs: [{ ...input!, computeBudget: 10 }] })).toBe(
        'RpcTransactionInput.compute_budget is inconsistent with transaction version 0',
      )
    })
  })
}
