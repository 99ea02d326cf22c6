/**
 * npm `kaspa-wasm32-sdk` as another cosigner: reads a request of JSON on each line of stdin, and writes a signature of
 * each input: a push, 64 bytes, the type. `SDK_FOLDER` is where the package is installed.
 */
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const require = createRequire(`${process.env.SDK_FOLDER}/`)
const { createInputSignature, PrivateKey, Transaction } = require('kaspa-wasm32-sdk')

const toHex = ({ version, script }) => version.toString(16).padStart(4, '0') + script

/** The safe JSON of the package. */
const toSafeJson = ({ id, inputs, outputs, ...rest }) => ({
  id,
  ...rest,
  inputs: inputs.map(({ outpoint, sequence, sigOpCount, utxo }) => ({
    ...outpoint,
    sequence,
    sigOpCount,
    signatureScript: '',
    utxo: { ...utxo, address: null, scriptPublicKey: toHex(utxo.scriptPublicKey) },
  })),
  outputs: outputs.map(({ value, scriptPublicKey }) => ({ value, scriptPublicKey: toHex(scriptPublicKey) })),
})

for await (const line of createInterface({ input: process.stdin })) {
  const { transaction, privateKey } = JSON.parse(line)
  const read = Transaction.deserializeFromSafeJSON(JSON.stringify(toSafeJson(transaction)))
  const key = new PrivateKey(privateKey)
  const signatures = transaction.inputs.map((_, at) => createInputSignature(read, at, key))
  console.log(JSON.stringify({ id: read.id, signatures }))
}
