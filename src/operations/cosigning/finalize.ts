import { signaturesMissing, type MissingSignatures } from '../../errors/cosigning-errors.js'
import { addressVersionOf } from '../../model/address.js'
import type { PsktInput } from '../../model/pskb/records.js'
import type { Transaction } from '../../model/transaction.js'
import { spentOf, type BundleTransaction } from './bundle.js'
import { toFinalScript, toSignaturePush } from './final-script.js'
import type { BundleSignatures, InputSignatures } from './signatures.js'
import { toCompact } from './verify-signature.js'

/** The inputs that have too few signatures; undefined where none has. */
export function missingSignatures(
  bundle: readonly BundleTransaction[],
  signatures: BundleSignatures,
  need: number,
): MissingSignatures | undefined {
  const counts = bundle.flatMap(({ inputs }, transaction) =>
    inputs.flatMap((own, input) =>
      own === undefined ? [] : { transaction, input, have: signatures[transaction]?.[input]?.size ?? 0 },
    ),
  )
  const missing = counts.filter(({ have }) => have < need)
  if (missing.length === 0) return undefined
  const have = Math.min(...missing.map((each) => each.have))
  return { have, need, inputs: missing.map(({ transaction, input }) => ({ transaction, input })) }
}

/**
 * The transactions of a bundle with their final signature scripts: for each own input exactly `need` signatures in the
 * order of the script's keys, then one push of the script. Throws `SignaturesMissingError`.
 */
export function finalTransactions(
  bundle: readonly BundleTransaction[],
  signatures: BundleSignatures,
  need: number,
): readonly Transaction[] {
  const missing = missingSignatures(bundle, signatures, need)
  if (missing !== undefined) throw signaturesMissing(missing)
  return bundle.map((each, transaction) => ({
    ...each.transaction,
    inputs: each.transaction.inputs.map((input, at) => ({
      ...input,
      signatureScript:
        ownFinalScript(each, at, signatures[transaction]?.[at], need) ?? foreignFinalScript(each, transaction, at),
    })),
  }))
}

function ownFinalScript(
  { inputs }: BundleTransaction,
  at: number,
  signatures: InputSignatures | undefined,
  need: number,
): string | undefined {
  const own = inputs[at]
  if (own === undefined || signatures === undefined) return undefined
  const inOrder = [...signatures].sort(([a], [b]) => a - b).map(([, signature]) => signature)
  return toFinalScript(inOrder.slice(0, need), own.redeemScript)
}

/** What the other signer has made: the final script, or the signature of the key that the output pays to. */
function foreignFinalScript(each: BundleTransaction, transaction: number, input: number): string {
  const pskt = each.pskt.inputs[input]
  const signature = pskt === undefined ? undefined : (pskt.finalScriptSig ?? keySignature(each, input, pskt))
  if (signature === undefined) throw signaturesMissing({ have: 0, need: 1, inputs: [{ transaction, input }] })
  return signature
}

function keySignature(each: BundleTransaction, at: number, { partialSigs }: PsktInput): string | undefined {
  const { scriptPublicKey } = spentOf(each)[at] ?? {}
  const version = scriptPublicKey && addressVersionOf(scriptPublicKey)
  if (scriptPublicKey === undefined || (version !== 'PubKey' && version !== 'PubKeyECDSA')) return undefined
  const [key, start] = [scriptPublicKey.script.slice(2, -2), version === 'PubKey' ? 2 : 0]
  const found = [...partialSigs].find(([name]) => name.slice(start) === key)?.[1]
  const signature = found && toCompact(found)
  return signature && toSignaturePush(signature)
}
