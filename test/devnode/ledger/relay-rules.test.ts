import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/devnode/ledger/ledger.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { requireFields } from '../../../src/model/transaction-rules/fields.js'
import { relayViolation } from '../../../src/model/transaction-rules/relay.js'
import { COINBASE_SUBNETWORK, type Transaction } from '../../../src/model/transaction.js'
import { toAddress } from '../../../src/model/address.js'
import { FEE, walletOf } from './wallet.js'
import { PAY_TO_PUBLIC_KEY, RELAYABLE } from '../../relayable-transaction.js'

const KAS = 100_000_000n
const [input, output] = [RELAYABLE.inputs[0]!, RELAYABLE.outputs[0]!]
const of = (changes: Partial<Transaction>): Transaction => ({ ...RELAYABLE, ...changes })

/** The reply of devnode, whose texts are held against kaspad, without the id in front. */
function replyOf(ledger: ReturnType<typeof createLedger>, transaction: Transaction): string {
  const reply = ledger.call('submitTransaction', { transaction, allowOrphan: false }, 1_700_000_000_000)
  return reply.ok ? 'taken' : reply.message.replace(/^Rejected transaction \w{64}: /, '')
}

describe('the violation of a transaction that every node refuses', () => {
  it.each<[string, Transaction]>([
    ['has no inputs', of({ inputs: [] })],
    ['has the same input twice', of({ inputs: [input, input] })],
    ['has 1,001 outputs', of({ outputs: Array.from({ length: 1_001 }, () => output) })],
    ['is too large', of({ payload: '00'.repeat(260_000) })],
    ['pays nothing', of({ outputs: [{ ...output, value: 0n }] })],
    ['pays more than there can be', of({ outputs: [{ ...output, value: 2n ** 63n }] })],
    [
      'has an output of a non-standard form',
      of({ outputs: [{ ...output, scriptPublicKey: { version: 0, script: '51' } }] }),
    ],
    [
      'has an output of an unknown script version',
      of({ outputs: [{ ...output, scriptPublicKey: { version: 1, script: PAY_TO_PUBLIC_KEY } }] }),
    ],
    ['is a coinbase', of({ subnetworkId: COINBASE_SUBNETWORK, inputs: [] })],
    ['is of an unknown subnetwork', of({ subnetworkId: '77'.repeat(20) })],
    ['has gas', of({ gas: 1n })],
    ['is of an unknown version', of({ version: 2, inputs: [{ ...input, sigOpCount: 0 }] })],
    ['has a budget in version 0', of({ inputs: [{ ...input, computeBudget: 1 }] })],
  ])('is in the words of the node: it %s', (_, transaction) => {
    const violation = relayViolation({ id: transactionId(transaction), transaction })
    expect(violation).toBeDefined()
    expect(violation).toBe(replyOf(createLedger({}), transaction))
  })

  it.each<[string, (funds: bigint) => { outputs: bigint[] }]>([
    ['pays less than the minimum fee', (funds) => ({ outputs: [funds - 1_000n] })],
    ['has too much storage mass', (funds) => ({ outputs: [1_000_000n, funds - 1_000_000n - FEE] })],
  ])('is in the words of the node where the spent outputs are known: it %s', (_, plan) => {
    const alice = walletOf(0x33)
    const ledger = createLedger({ genesisUtxos: [{ address: alice.address, amount: 30n * KAS }] })
    const found = ledger.call('getUtxosByAddresses', { addresses: [alice.address] }, 0)
    if (!found.ok) throw new Error(found.message)
    const spent = found.value.entries
    const { outputs } = plan(30n * KAS)
    const transaction = alice.pay(
      spent,
      outputs.map((amount) => ({ to: alice.address, amount })),
    )
    const id = transactionId(transaction)
    expect(relayViolation({ id, transaction })).toBeUndefined()
    expect(relayViolation({ id, transaction, spent })).toBe(replyOf(ledger, transaction))
  })

  it('names an input without a signature script, of which a node says less', () => {
    const transaction = of({ inputs: [{ ...input, signatureScript: '' }] })
    expect(relayViolation({ id: transactionId(transaction), transaction })).toBe(
      'failed to verify the signature script: input #0 has none',
    )
  })

  it('is undefined for what a node may take', () => {
    expect(toAddress(output.scriptPublicKey, 'kaspasim')).toBeDefined()
    expect(relayViolation({ id: transactionId(RELAYABLE), transaction: RELAYABLE })).toBeUndefined()
  })
})

describe('the fields of a transaction', () => {
  it.each<[string, object]>([
    ['version', { version: -1 }],
    ['lockTime', { lockTime: 2n ** 64n }],
    ['subnetworkId', { subnetworkId: '00' }],
    ['payload', { payload: 'abc' }],
    ['mass', { mass: '1' }],
    [
      'inputs[0].previousOutpoint.index',
      { inputs: [{ ...input, previousOutpoint: { ...input.previousOutpoint, index: '0' } }] },
    ],
    ['inputs[0].sequence', { inputs: [{ ...input, sequence: -1n }] }],
    ['inputs[0].sigOpCount', { inputs: [{ ...input, sigOpCount: 256 }] }],
    ['outputs[0].value', { outputs: [{ ...output, value: 1 }] }],
    ['outputs[0].scriptPublicKey.script', { outputs: [{ ...output, scriptPublicKey: { version: 0, script: 'x' } }] }],
  ])('are named where they are not valid: %s', (name, changes) => {
    expect(() => requireFields({ ...RELAYABLE, ...changes }, 'transaction')).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: `transaction.${name}` }),
    )
  })

  it('are hex in either case', () => {
    expect(() => requireFields(of({ payload: 'C0FFEE' }), 'transaction')).not.toThrow()
  })
})
