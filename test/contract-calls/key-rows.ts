import { toScriptPublicKey } from '../../src/model/address.js'
import { defineContract } from '../../src/model/contracts/contract.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { ContractSpend } from '../../src/operations/contracts/contract-spend.js'
import { vault } from '../fixtures/contracts/modules/vault.js'
import { begun, bound, output } from './covenants.js'
import { counterOf } from './counter-rows.js'
import { begin, deploy, FAILED, submitAll, type CallRow } from './harness.js'
import { ALICE, BOB, build, keyInput, type Party } from './transaction.js'

/** Contracts that keys protect, and bound outputs of keys. */

export const Vault = defineContract(vault)
const KAS = 100_000_000n

/** The state of a vault of a key, of which nothing is spent. */
export const vaultOf = (owner: Party) => ({ owner: owner.publicKey, spent: 0n })

/** The input that ends the vault of a key. */
export const close = (utxo: UtxoEntry, owner: Party, signer = owner): ContractSpend => ({
  utxo,
  entry: 'close',
  script: (sign) => Vault.signatureScript(vaultOf(owner), 'close', { s: { signedBy: signer.address } }, sign),
})

const vaults: CallRow = {
  situation: 'the end of a contract by another key, at a budget that is one too low, and by its key',
  replies: [
    FAILED,
    'failed to verify the signature script: script units exceeded the amount committed in the input: used=100623, limit=99999',
    'taken',
  ],
  play: async (harness) => {
    const { utxo } = await deploy(harness, Vault, vaultOf(BOB))
    const fundedBy = await harness.utxo()
    const byBob = close(utxo, BOB)
    const inputs = [{ ...close(utxo, BOB, ALICE), budget: 10 }, { ...byBob, budget: 9 }, byBob]
    return submitAll(
      harness,
      inputs.map((input) => build({ inputs: [input], outputs: [], fundedBy })),
    )
  },
}

const keys: CallRow = {
  situation: 'payments of a key at the budgets 9 and 10, and with signature operations',
  replies: [
    'failed to verify the signature script: script units exceeded the amount committed in the input: used=100000, limit=99999',
    'RpcTransactionInput.sig_op_count is inconsistent with transaction version 1',
    'taken',
  ],
  play: async (harness) => {
    const input = keyInput(await harness.utxo())
    const outputs = [output(toScriptPublicKey(BOB.address))]
    const inputs = [{ ...input, budget: 9 }, { ...input, sigOpCount: 1 }, input]
    return submitAll(
      harness,
      inputs.map((one) => build({ inputs: [one], outputs })),
    )
  },
}

/** Binds an output of a key. */
const boundKey = output(toScriptPublicKey(ALICE.address))

const spentByKey: CallRow = {
  situation: 'spends of bound outputs of a key by the key alone, in both versions, and into a program',
  replies: ['taken', 'taken', 'taken'],
  play: async (harness) => {
    const spends = []
    for (const make of [
      (utxo: UtxoEntry) => ALICE.pay([utxo], [{ to: BOB.address, amount: utxo.amount - 1_000_000n }]),
      (utxo: UtxoEntry) => build({ inputs: [keyInput(utxo)], outputs: [output(boundKey.scriptPublicKey, KAS / 2n)] }),
    ]) {
      const { utxos } = await begin(harness, [boundKey])
      spends.push(make(utxos[0]!))
    }
    const { covenantId, utxos } = await begin(harness, [boundKey])
    const fundedBy = await harness.utxo()
    spends.push(build({ inputs: [keyInput(utxos[0]!)], outputs: [bound(covenantId, counterOf(1_000n))], fundedBy }))
    return submitAll(harness, spends)
  },
}

const geneses: CallRow = {
  situation: 'beginnings: of some outputs by their indices, of two covenants by one input, in another order, too small',
  replies: ['taken', 'taken', 'covenants error', 'taken', 'transaction storage mass'],
  play: async (harness) => {
    const outputs = [1n, 2n, 3n, 4n].map((count) => output(counterOf(count)))
    const { transaction } = await begin(harness, outputs, [1, 3])
    const fundedBy = await harness.utxo()
    const [first, second] = [begunAt(fundedBy, [0]), begunAt(fundedBy, [1])]
    const twice = build({ inputs: [], outputs: [first[0]!, second[1]!], fundedBy })
    const other = await harness.utxo()
    const reversed = [...begunAt(other, [1, 0])]
    const small = [8_000_000n, 7_900_000n].map((value) => [output(counterOf(0n), value)])
    const values = []
    for (const one of small) {
      const utxo = await harness.utxo()
      values.push(build({ inputs: [], outputs: begun(utxo.outpoint, one), fundedBy: utxo }))
    }
    const replies = await submitAll(harness, [
      twice,
      build({ inputs: [], outputs: reversed, fundedBy: other }),
      ...values,
    ])
    const isBound = transaction.outputs.map(({ covenant }) => covenant !== undefined)
    return [isBound.join() === 'false,true,false,true,false' ? 'taken' : 'other outputs', ...replies].map(
      (reply) => /^(taken|covenants error|transaction storage mass)/.exec(reply)?.[0] ?? reply,
    )
  },
}

const begunAt = (utxo: UtxoEntry, indices: readonly number[]) =>
  begun(utxo.outpoint, [output(counterOf(1n)), output(counterOf(2n))], indices)

export const KEY_ROWS: readonly CallRow[] = [vaults, keys, spentByKey, geneses]
