import { schnorr } from '@noble/curves/secp256k1.js'
import type { Devnode } from '../../src/devnode/index.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { ByteWriter } from '../../src/model/bytes.js'
import { blake2bKeyed } from '../../src/model/hashing.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import type { RpcEncoding } from '../../src/model/network.js'
import { minimumFee, storageMass } from '../../src/model/mass.js'
import { sighash } from '../../src/model/sighash.js'
import { createTransaction, type Transaction, type TransactionOutput } from '../../src/model/transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { connect } from '../contract/node/support/client.js'

/** An output that the payment binds to a covenant of its own. */
export interface BoundOutput {
  readonly address: string
  readonly amount: bigint
}

/** A payment of the first account of a devnode, whose outputs it binds to a covenant; `submit` sends it. */
export function boundPayment(devnode: Devnode, bound: readonly BoundOutput[], encoding: RpcEncoding = 'Borsh') {
  const [{ address, privateKeyHex }] = devnode.accounts as [Devnode['accounts'][number]]
  const [utxo] = devnode.expected.utxos([address]) as [UtxoEntry]
  const sign = (hash: Uint8Array): string => toHex(schnorr.sign(hash, fromHex(privateKeyHex)))
  const { transaction, ...payment } = bindOutputs(utxo, bound, sign)
  const submit = async (): Promise<void> => {
    const isBorsh = encoding === 'Borsh'
    const urls = devnode.urls
    const client = await connect(isBorsh ? urls.borsh : urls.json, isBorsh ? createBorshCodec() : createJsonCodec())
    const inputs = transaction.inputs.map((input) => ({ ...input, computeBudget: BUDGET, verboseData: undefined }))
    const outputs = transaction.outputs.map((output) => ({ ...output, verboseData: undefined }))
    const record = { ...transaction, inputs, outputs, verboseData: undefined }
    await client.call('submitTransaction', { transaction: record, allowOrphan: false })
    client.close()
  }
  return { ...payment, submit }
}

/** What a signature takes. */
const BUDGET = 10

/** A transaction of version 1 that spends one UTXO and begins a covenant with all of its outputs but the change. */
function bindOutputs(
  utxo: UtxoEntry,
  bound: readonly BoundOutput[],
  sign: (hash: Uint8Array) => string,
): { readonly id: string; readonly covenantId: string; readonly transaction: Transaction } {
  const plain = bound.map(({ address, amount }) => ({ value: amount, scriptPublicKey: toScriptPublicKey(address) }))
  const covenantId = covenantIdOf(utxo, plain)
  const outputs = plain.map((output) => ({ ...output, covenant: { authorizingInput: 0, covenantId } }))
  const paid = bound.reduce((sum, { amount }) => sum + amount, 0n)
  const withChange = (fee: bigint): Transaction =>
    createTransaction({
      version: 1,
      inputs: [
        {
          previousOutpoint: utxo.outpoint,
          signatureScript: SIGNED,
          sequence: 0n,
          sigOpCount: 0,
          computeBudget: BUDGET,
        },
      ],
      outputs: [...outputs, { value: utxo.amount - paid - fee, scriptPublicKey: utxo.scriptPublicKey }],
    })
  const unweighed = withChange(minimumFee(withChange(0n)))
  const weighed = { ...unweighed, mass: storageMass(unweighed, [utxo]) }
  const signature = sign(sighash(weighed, 0, [utxo]))
  const inputs = weighed.inputs.map((input) => ({ ...input, signatureScript: `41${signature}01` }))
  const transaction = { ...weighed, inputs }
  return { id: transactionId(transaction), covenantId, transaction }
}

const SIGNED = '00'.repeat(66)

/** The id of a covenant that an input begins: the hash of its outpoint and of all outputs bound with it. */
function covenantIdOf({ outpoint }: UtxoEntry, outputs: readonly TransactionOutput[]): string {
  const writer = new ByteWriter().hex(outpoint.transactionId).u32(outpoint.index).u64(outputs.length)
  for (const [index, { value, scriptPublicKey }] of outputs.entries())
    writer.u32(index).u64(value).u16(scriptPublicKey.version).hexWithLength(scriptPublicKey.script)
  return toHex(blake2bKeyed('CovenantID', writer.written()))
}
