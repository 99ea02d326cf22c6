import { ChainError } from '../../../errors/chain-error.js'
import { ChainCryptoError } from '../../../errors/crypto-error.js'
import type { SdkPort, SigningRequest } from '../../../sdk/port.js'
import { signInSlices, collectInSlices } from '../../../sdk/time-slices.js'
import { callSdk } from '../../keys/crypto-failure.js'
import type { EcdsaSigner } from './ecdsa.js'
import { inputsToSign, isEcdsa, type InputToSign, type Signable } from './inputs-to-sign.js'
import { openKeyring, type Keyring } from './keyring.js'

/** The SDK, and @noble/curves for ECDSA inputs. */
export interface SigningBackends {
  readonly sdk: SdkPort
  readonly ecdsa: EcdsaSigner | undefined
}

/**
 * The signature scripts of all inputs of a plan, hex, in the order of `inputsToSign`; '' for an input without a key.
 */
export type SignatureScripts = readonly string[]

/** Signs with private keys (32 bytes, hex) and blocks. Throws `ChainCryptoError`: `invalid-key`. */
export function signWithKeys(
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
export async function signWithKeysAsync(
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
