import { refuseUnknown } from '../../errors/chain-error.js'
import type { AccountValue } from '../../model/cosigning/account-value.js'
import { type KeySource, type Pskt, type PsktInput, type PsktOutput, NO_SEQUENCE } from '../../model/pskb/records.js'
import { writeBundle } from '../../model/pskb/write-bundle.js'
import type { Transaction } from '../../model/transaction.js'
import type { BundleTransaction } from './bundle.js'
import { originsOf, type OwnScript } from './bundle-account.js'
import type { ToPskbOptions } from './records.js'
import type { BundleSignatures, InputSignatures } from './signatures.js'
import { toPartial } from './verify-signature.js'

/** What is written of a bundle. */
export interface WrittenBundle {
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
