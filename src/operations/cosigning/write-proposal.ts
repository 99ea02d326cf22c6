import { refuseUnknown } from '../../errors/chain-error.js'
import type { AccountValue } from '../../model/cosigning/account-value.js'
import { type KeySource, type Pskt, type PsktInput, type PsktOutput, NO_SEQUENCE } from '../../model/pskb/records.js'
import { writeBundle } from '../../model/pskb/write-bundle.js'
import type { Transaction } from '../../model/transaction.js'
import { type BundleTransaction, spentOf } from './bundle.js'
import { originsOf, type OwnScript } from './bundle-account.js'
import type { ToPskbOptions } from './records.js'
import type { BundleSignatures, InputSignatures } from './signatures.js'
import { toPartial, toFinalScript, toSignaturePush, toCompact } from './verify-signature.js'
import { signaturesMissing, type MissingSignatures } from '../../errors/cosigning-errors.js'
import { addressVersionOf } from '../../model/address.js'

/** What is written of a bundle. */
interface WrittenBundle {
  readonly bundle: readonly BundleTransaction[]
  readonly signatures: BundleSignatures
  readonly account: AccountValue
  /** The signed transactions, where it is final. */
  readonly final?: readonly Transaction[] | undefined
}

/** The text of a bundle with what an account derives: redeem scripts, paths, extended keys and ids. */
export function writeProposal(
  { bundle, signatures, account, final }: WrittenBundle,
  options: ToPskbOptions = {},
): string {
  refuseUnknown(options, ['compact', 'onlySignatures', 'upperCase'])
  const { compact = false, onlySignatures = false, upperCase } = options
  const context = { account, compact, only: onlySignatures ? account.ownCosigner : undefined, onlySignatures }
  const pskts = bundle.map((each, at) => toPskt(each, signatures[at] ?? [], final?.[at], context))
  return writeBundle(pskts, { upperCase })
}

interface WriteContext {
  readonly account: AccountValue
  readonly compact: boolean
  /** The one cosigner whose signatures are written. */
  readonly only: number | undefined
  readonly onlySignatures: boolean
}

function toPskt(
  { id, pskt, inputs, change }: BundleTransaction,
  signatures: readonly InputSignatures[],
  final: Transaction | undefined,
  context: WriteContext,
): Pskt {
  const { account, compact } = context
  return {
    ...pskt,
    global: { ...pskt.global, id, xpubs: compact ? new Map<string, KeySource>() : xpubsOf(account) },
    inputs: pskt.inputs.map((input, at): PsktInput => {
      const own = inputs[at]
      const signed = own === undefined ? input : ownInput(input, own, signatures[at] ?? new Map(), context)
      if (final === undefined) return signed
      const finalScriptSig = final.inputs[at]?.signatureScript ?? null
      return { ...signed, sequence: input.sequence ?? NO_SEQUENCE, finalScriptSig }
    }),
    outputs: pskt.outputs.map((output, at): PsktOutput => {
      const own = change[at]
      if (own === undefined) return output
      if (compact) return { ...output, redeemScript: null, bip32Derivations: new Map() }
      return { ...output, redeemScript: own.redeemScript, bip32Derivations: originsOf(account, own.path) }
    }),
  }
}

function ownInput(
  input: PsktInput,
  { path, publicKeys, redeemScript }: OwnScript,
  signatures: InputSignatures,
  { account, compact, only, onlySignatures }: WriteContext,
): PsktInput {
  const written = [...signatures].filter(([cosigner]) => !onlySignatures || cosigner === only)
  return {
    ...input,
    redeemScript,
    partialSigs: new Map(
      written.map(([cosigner, signature]) => [publicKeys[cosigner] ?? '', toPartial(signature, account.ecdsa)]),
    ),
    bip32Derivations: compact ? new Map() : originsOf(account, path),
    finalScriptSig: null,
  }
}

/** In the order of their public keys, as the crate sorts them. Each path begins at the key itself. */
const xpubsOf = ({ cosigners }: AccountValue): ReadonlyMap<string, KeySource> =>
  new Map(
    [...cosigners]
      .sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1))
      .map(({ xpub, fingerprint }) => [xpub, { keyFingerprint: fingerprint, derivationPath: 'm' }]),
  )

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
