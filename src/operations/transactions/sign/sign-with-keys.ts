import { ChainError, invalidArgument } from '../../../errors/chain-error.js'
import { ChainCryptoError } from '../../../errors/crypto-error.js'
import type { SdkPort, SigningRequest, TransactionSigner } from '../../../sdk/port.js'
import { signInSlices, collectInSlices } from '../../../sdk/time-slices.js'
import { callSdk, cryptoError } from '../../keys/crypto-failure.js'
import type { EcdsaSigner } from './ecdsa.js'
import { inputsToSign, isEcdsa, type InputToSign, type Signable } from './inputs-to-sign.js'
import { isHex } from '../../../model/hex.js'
import { PRIVATE_KEY } from '../../keys/arguments.js'
import { abortable } from '../../../loading/abortable.js'
import { loadCode } from '../../../loading/load-code.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { SerializedTransaction } from '../../../model/serialized-transaction.js'
import { abortedBefore } from '../submit/before-submission.js'
import { addressVersionOf } from '../../../model/address.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'

/** The SDK, and @noble/curves for ECDSA inputs. */
interface SigningBackends {
  readonly sdk: SdkPort
  readonly ecdsa: EcdsaSigner | undefined
}

/**
 * The signature scripts of all inputs of a plan, hex, in the order of `inputsToSign`; '' for an input without a key.
 */
export type SignatureScripts = readonly string[]

/** Signs with private keys (32 bytes, hex) and blocks. Throws `ChainCryptoError`: `invalid-key`. */
function signWithKeys(
  plan: readonly Signable[],
  privateKeys: readonly string[],
  { sdk, ecdsa }: SigningBackends,
): SignatureScripts {
  const keyring = openKeyring(privateKeys, sdk)
  const inputs = [...inputsToSign(plan)]
  const { groups, requests } = groupByKey(inputs, keyring)
  const signed = requests.map(({ hashes, privateKey }) => callSdk('sign', () => sdk.signHashes(hashes, privateKey)))
  return toScripts(inputs, groups, signed, [...signEcdsaInputs(inputs, keyring, ecdsa)])
}

/** The same without blocking the thread for longer than a frame. `signal` stops it; no key is kept. */
async function signWithKeysAsync(
  plan: readonly Signable[],
  privateKeys: readonly string[],
  { sdk, ecdsa }: SigningBackends,
  signal: AbortSignal | undefined,
): Promise<SignatureScripts> {
  const keyring = openKeyring(privateKeys, sdk)
  const inputs = await collectInSlices(inputsToSign(plan), { signal })
  const { groups, requests } = groupByKey(inputs, keyring)
  const signed = await signRequests(requests, sdk, signal)
  const byEcdsa = await collectInSlices(signEcdsaInputs(inputs, keyring, ecdsa), { signal })
  return toScripts(inputs, groups, signed, byEcdsa)
}

async function signRequests(
  requests: readonly SigningRequest[],
  sdk: SdkPort,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly string[])[]> {
  try {
    const signHashes: SdkPort['signHashes'] = (hashes, privateKey) => sdk.signHashes(hashes, privateKey)
    return await (sdk.signHashesAsync?.(requests, { signal }) ?? signInSlices(requests, signHashes, { signal }))
  } catch (cause) {
    if (cause instanceof ChainError || signal?.aborted === true) throw cause
    throw new ChainCryptoError('sign', cause)
  }
}

/** One request per key, for its Schnorr inputs, and the positions of these inputs. */
function groupByKey(inputs: readonly InputToSign[], keyring: Keyring) {
  const groups = new Map<string, number[]>()
  for (const [position, { scriptPublicKey }] of inputs.entries()) {
    const key = isEcdsa(scriptPublicKey) ? undefined : keyring.get(scriptPublicKey.script)
    if (key === undefined) continue
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [position])
    else known.push(position)
  }
  const requests = [...groups].map(([privateKey, positions]): SigningRequest => {
    return { privateKey, hashes: positions.flatMap((position) => inputs[position]?.sighash ?? []) }
  })
  return { groups: [...groups.values()], requests }
}

/** The signature script of each ECDSA input with its position. */
function* signEcdsaInputs(
  inputs: readonly InputToSign[],
  keyring: Keyring,
  ecdsa: EcdsaSigner | undefined,
): Generator<readonly [position: number, script: string]> {
  for (const [position, { scriptPublicKey, sighash }] of inputs.entries()) {
    const key = isEcdsa(scriptPublicKey) ? keyring.get(scriptPublicKey.script) : undefined
    if (key !== undefined && ecdsa !== undefined) yield [position, ecdsa(sighash, key)]
  }
}

function toScripts(
  inputs: readonly InputToSign[],
  groups: readonly (readonly number[])[],
  signed: readonly (readonly string[])[],
  byEcdsa: readonly (readonly [number, string])[],
): SignatureScripts {
  const scripts = new Map(byEcdsa)
  for (const [group, positions] of groups.entries())
    for (const [at, position] of positions.entries()) scripts.set(position, signed[group]?.[at] ?? '')
  return inputs.map((_, position) => scripts.get(position) ?? '')
}

/** Private keys by locking script, hex. Kept after signing for a frozen array only, as long as that is kept. */
type Keyring = ReadonlyMap<string, string>

/** Those of frozen arrays. */
const opened = /*#__PURE__*/ new WeakMap<readonly string[], Keyring>()

/**
 * Reads each key once, for its Schnorr and its ECDSA script: those of a frozen array once in all, because a queue signs
 * with the same keys each time. Throws `ChainCryptoError` (`invalid-key`).
 */
export function openKeyring(privateKeys: readonly string[], sdk: SdkPort): Keyring {
  if (!Array.isArray(privateKeys)) throw invalidKey('privateKeys', 'The private keys are not an array')
  const known = opened.get(privateKeys)
  if (known !== undefined) return known
  const keyring = new Map(privateKeys.flatMap((given: unknown, position) => scriptsOf(given, position, sdk)))
  if (Object.isFrozen(privateKeys)) opened.set(privateKeys, keyring)
  return keyring
}

function scriptsOf(given: unknown, position: number, sdk: SdkPort): readonly (readonly [string, string])[] {
  const details = { ...PRIVATE_KEY, argument: `privateKeys[${position}]` }
  const key = checkKey(given, details.argument)
  const { xOnly, compressed } = callSdk('sign', () => sdk.publicKey(key), details)
  return [
    [`20${xOnly}ac`, key],
    [`21${compressed}ab`, key],
  ]
}

/** Checks the form of a private key and returns it in lower case. */
function checkKey(key: unknown, argument: string): string {
  const lower = typeof key === 'string' ? key.toLowerCase() : key
  if (isHex(lower, 32)) return lower
  throw invalidKey(argument, 'The private key is not 32 bytes in hex')
}

const invalidKey = (argument: string, reason: string): ChainCryptoError =>
  cryptoError('sign', { ...PRIVATE_KEY, argument, reason })

/** Private keys, 32 bytes in hex, or a signer that has them. */
export type KeysOrSigner = readonly string[] | TransactionSigner

/** Signs the transactions of a plan; the signature scripts of all inputs, in order. */
export interface PlanSigning {
  /** Blocks. Throws `ChainCryptoError` and `ChainNotReadyError`. */
  readonly sign: (plan: readonly Signable[], privateKeys: readonly string[]) => SignatureScripts
  /** Does not block the thread. Rejects likewise, and with `ChainError` (`aborted`) as soon as `signal` aborts. */
  readonly signAsync: (
    plan: readonly Signable[],
    keysOrSigner: KeysOrSigner,
    context: PlanContext,
  ) => Promise<SignatureScripts>
}

interface PlanContext {
  /** The transactions as a signer is shown them. */
  readonly transactions: () => Promise<readonly SerializedTransaction[]>
  readonly signal: AbortSignal | undefined
}

interface PlanSigningDependencies {
  /** Throws `ChainNotReadyError`. */
  readonly sdk: () => SdkPort
  /** Loaded where the plan has ECDSA inputs. */
  readonly ecdsa: EcdsaSigner | undefined
  readonly prefix: AddressPrefix
  readonly keyPathOf: (address: string) => string | undefined
}

export const createPlanSigning = ({ sdk, ecdsa, prefix, keyPathOf }: PlanSigningDependencies): PlanSigning => ({
  sign: (plan, privateKeys) => signWithKeys(plan, privateKeys, { sdk: sdk(), ecdsa }),
  signAsync: (plan, keysOrSigner, { transactions, signal }) =>
    abortable(
      signal,
      async () => {
        if (!isSigner(keysOrSigner)) return signWithKeysAsync(plan, keysOrSigner, { sdk: sdk(), ecdsa }, signal)
        const { signWithSigner } = await loadCode(() => import('./sign-with-signer.js'))
        return signWithSigner(plan, keysOrSigner, { prefix, keyPathOf, transactions: await transactions(), signal })
      },
      abortedBefore,
    ),
})

/** Anything but an array must be a signer; the keys are checked when they are read. */
function isSigner(given: KeysOrSigner): given is TransactionSigner {
  if (Array.isArray(given)) return false
  return requireSigner(given)
}

/** Throws `ChainError` (`invalid-argument`) where it has no function `sign`. */
export function requireSigner(given: unknown): given is TransactionSigner {
  const signer = given as Partial<TransactionSigner> | null | undefined
  if (typeof signer?.sign === 'function') return true
  throw invalidArgument('signer', '"signer" must have a function "sign"')
}

/** The code of ECDSA signatures, where an input needs one. */
export async function loadEcdsa(scripts: readonly ScriptPublicKey[]): Promise<EcdsaSigner | undefined> {
  const isNeeded = scripts.some((script) => addressVersionOf(script) === 'PubKeyECDSA')
  return isNeeded ? (await loadCode(() => import('./ecdsa.js'))).signEcdsa : undefined
}
