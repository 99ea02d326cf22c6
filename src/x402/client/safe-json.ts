import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { serializeScript } from '../binding/requirements.js'

/** A signed transaction in the layout `kaspa-sdk-safe-json-v2.0.0` of the draft, as text. */
export function toSafeJson({ restore, ...signed }: SerializedTransaction): string {
  return JSON.stringify({
    id: signed.id,
    version: signed.version,
    inputs: signed.inputs.map(({ previousOutpoint, sequence, sigOpCount, signatureScript }, index) => {
      const output = restore?.spent[index]
      return {
        previousOutpoint,
        sequence,
        sigOpCount,
        signatureScript,
        utxo: output && { amount: output.amount, scriptPublicKey: serializeScript(output.scriptPublicKey) },
      }
    }),
    outputs: signed.outputs.map(({ value, scriptPublicKey }) => ({
      value,
      scriptPublicKey: serializeScript(scriptPublicKey),
      covenant: null,
    })),
    lockTime: signed.lockTime,
    subnetworkId: signed.subnetworkId,
    gas: signed.gas,
    payload: signed.payload,
    storageMass: signed.mass,
  })
}
