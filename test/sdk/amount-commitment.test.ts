import type * as Sdk from '#sdk'
import { expect, it } from 'vitest'
import { commitAmounts } from '../../src/model/amount-commitment.js'
import { toTransaction } from '../../src/model/serialized-transaction.js'
import { createTransactions } from '../../src/operations/transactions/transactions.js'
import { light } from '../../src/sdk/light/light.js'
import { toSafeScript } from '../../src/testing/wallets/safe-transaction.js'
import { KAS, alice, bob, utxos } from '../operations/transactions/accounts.js'
import { createScriptedDependencies } from '../operations/transactions/scripted-dependencies.js'
import { signaturesVerify } from '../operations/transactions/verify.js'

it('reads and signs sequences that commit to amounts, as wallets with the SDK do', async () => {
  const sdk: typeof Sdk = await import('#sdk')
  await sdk.default()
  const { create } = createTransactions(createScriptedDependencies(await light.loadPort()))
  const { transactions } = await create({
    entries: utxos([10n * KAS, 7n * KAS, 5n * KAS]),
    outputs: [{ address: bob.address, amount: 21n * KAS }],
    changeAddress: alice.address,
  })
  const serialized = transactions[0]?.serialize()
  if (serialized === undefined) throw new Error('The plan has a transaction')
  const spent = (serialized.restore?.spent ?? []).map(({ amount, scriptPublicKey }, at) => ({
    amount: BigInt(amount),
    scriptPublicKey,
    outpoint: serialized.inputs[at]?.previousOutpoint ?? { transactionId: '', index: 0 },
  }))
  const safe = {
    ...serialized,
    restore: undefined,
    inputs: serialized.inputs.map(({ previousOutpoint, ...input }, at) => ({
      ...previousOutpoint,
      ...input,
      utxo: {
        address: alice.address,
        amount: String(spent[at]?.amount),
        scriptPublicKey: toSafeScript(spent[at]?.scriptPublicKey ?? { version: 0, script: '' }),
        blockDaaScore: '500',
        isCoinbase: false,
      },
    })),
    outputs: serialized.outputs.map(({ value, scriptPublicKey }) => ({
      value,
      scriptPublicKey: toSafeScript(scriptPublicKey),
    })),
  }
  const theirs = sdk.Transaction.deserializeFromSafeJSON(JSON.stringify(safe))
  const signed = sdk.signTransaction(theirs, [alice.privateKey], false)
  expect(signed.finalize().toString()).toBe(serialized.id)
  const written = JSON.parse(signed.serializeToSafeJSON()) as {
    inputs: { sequence: string; signatureScript: string }[]
  }
  expect(written.inputs.map(({ sequence }) => BigInt(sequence))).toEqual(commitAmounts(spent))
  const inputs = serialized.inputs.map((input, at) => ({
    ...input,
    signatureScript: written.inputs[at]?.signatureScript ?? '',
  }))
  expect(signaturesVerify(toTransaction({ ...serialized, inputs }), spent)).toEqual([true, true, true])
})
