import { abortable } from '../../loading/abortable.js'
import type { AccountValue } from '../../model/cosigning/account-value.js'
import type { KeyPath, MnemonicSecret, SdkPort, SigningRequest } from '../../sdk/port.js'
import { signInSlices, collectInSlices } from '../../sdk/time-slices.js'
import { callSdk, cryptoError } from '../keys/crypto-failure.js'
import { checkMnemonic } from '../keys/mnemonic.js'
import { signEcdsa } from '../transactions/sign/ecdsa.js'
import { openKeyring } from '../transactions/sign/sign-with-keys.js'
import { abortedBefore } from '../transactions/submit/before-submission.js'
import type { BundleTransaction } from './bundle.js'
import type { CosigningKeys } from './records.js'
import { mergeVerified, ownInputs, type BundleSignatures, type OwnInput } from './signatures.js'
import { signByCaller, type SignByCallerContext } from './sign-by-caller.js'

export interface SignBundleContext extends SignByCallerContext {
  readonly account: AccountValue
  /** Throws `ChainNotReadyError`. */
  readonly sdk: () => SdkPort
}

/** A signature to make: of an own input, by the key of a cosigner. */
interface Task {
  readonly input: OwnInput
  readonly cosigner: number
  readonly privateKey: string
}

/**
 * Adds the signatures of the cosigners whose keys are given to the own inputs of a bundle. What is signed stays.
 * Rejects as `Proposal.signAsync` does; nothing is kept of the keys.
 */
export const signBundle = (
  bundle: readonly BundleTransaction[],
  signatures: BundleSignatures,
  keys: CosigningKeys,
  context: SignBundleContext,
): Promise<BundleSignatures> =>
  abortable(
    context.signal,
    async () => {
      const inputs = await collectInSlices(ownInputs(bundle, context.account.ecdsa), { signal: context.signal })
      if ('signer' in keys)
        return mergeVerified(signatures, await signByCaller(inputs, signatures, keys.signer, context))
      const sdk = context.sdk()
      const cosignersOf =
        'mnemonic' in keys ? ofMnemonic(keys, context.account, sdk) : ofKeys(keys.privateKeys, sdk, context)
      const found = inputs.flatMap(cosignersOf)
      if (found.length === 0) throw noKey()
      const tasks = found.filter(
        ({ input, cosigner }) => signatures[input.transactionIndex]?.[input.inputIndex]?.has(cosigner) !== true,
      )
      return mergeVerified(signatures, toInputs(tasks, await signTasks(tasks, sdk, context), signatures))
    },
    abortedBefore,
  )

type TasksOf = (input: OwnInput) => readonly Task[]

/** The keys of each cosigner that the mnemonic has; each seed takes a tenth of a second, so one for each address. */
function ofMnemonic(
  { mnemonic, passphrase }: Extract<CosigningKeys, { mnemonic: string }>,
  { cosigners, network }: AccountValue,
  sdk: SdkPort,
): TasksOf {
  const secret: MnemonicSecret = checkMnemonic(sdk, 'sign', mnemonic, passphrase)
  const prefix = network === 'mainnet' ? 'kpub' : 'ktub'
  const publicKeyOf = memoized((account: number) =>
    callSdk('sign', () => sdk.deriveExtendedPublicKey(secret, { account, purpose: 45 }, prefix)),
  )
  const own = [...cosigners.entries()].flatMap(([cosigner, { key, path }]) => {
    const account = Number.parseInt(path.split('/')[3] ?? '', 10)
    return publicKeyOf(account) === key ? [{ cosigner, account }] : []
  })
  const privateKeyOf = memoized((path: KeyPath) => callSdk('sign', () => sdk.derivePrivateKey(secret, path)))
  return (input) =>
    own.map(({ cosigner, account }) => {
      const { change, index, cosigner: branch } = input.own.path
      return { input, cosigner, privateKey: privateKeyOf({ account, cosigner: branch, change, index }) }
    })
}

/** A function that computes each result once, as long as it lives. */
function memoized<Argument, Result>(compute: (argument: Argument) => Result): (argument: Argument) => Result {
  const results = new Map<string, Result>()
  return (argument) => {
    const key = JSON.stringify(argument)
    const result = results.get(key) ?? compute(argument)
    results.set(key, result)
    return result
  }
}

function ofKeys(privateKeys: readonly string[], sdk: SdkPort, { account }: SignBundleContext): TasksOf {
  const keyring = openKeyring(privateKeys, sdk)
  const scriptOf = (key: string): string => (account.ecdsa ? `21${key}ab` : `20${key.slice(2)}ac`)
  return (input) =>
    input.own.publicKeys.flatMap((key, cosigner) => {
      const privateKey = keyring.get(scriptOf(key))
      return privateKey === undefined ? [] : [{ input, cosigner, privateKey }]
    })
}

/** 64 bytes each, hex. */
async function signTasks(
  tasks: readonly Task[],
  sdk: SdkPort,
  { account, signal }: SignBundleContext,
): Promise<readonly string[]> {
  const steps = function* (): Generator<string> {
    for (const { input, privateKey } of tasks) yield signEcdsa(input.sighash, privateKey)
  }
  const scripts = account.ecdsa ? await collectInSlices(steps(), { signal }) : await signSchnorr(tasks, sdk, signal)
  return scripts.map((script) => script.slice(2, -2))
}

async function signSchnorr(
  tasks: readonly Task[],
  sdk: SdkPort,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const requests = tasks.map(({ input, privateKey }): SigningRequest => ({ hashes: [input.sighash], privateKey }))
  const signHashes: SdkPort['signHashes'] = (hashes, privateKey) => sdk.signHashes(hashes, privateKey)
  const signed = await (sdk.signHashesAsync?.(requests, { signal }) ?? signInSlices(requests, signHashes, { signal }))
  return signed.map(([script = '']) => script)
}

function toInputs(tasks: readonly Task[], made: readonly string[], before: BundleSignatures) {
  const inputs = new Map<OwnInput, Map<number, string>>()
  for (const [at, { input, cosigner }] of tasks.entries()) {
    const known = inputs.get(input) ?? new Map(before[input.transactionIndex]?.[input.inputIndex])
    inputs.set(input, known.set(cosigner, made[at] ?? ''))
  }
  return [...inputs].map(([{ transactionIndex, inputIndex }, signatures]) => ({
    transactionIndex,
    inputIndex,
    signatures,
  }))
}

const noKey = (): Error =>
  cryptoError('sign', {
    code: 'key-mismatch',
    argument: 'keys',
    reason: 'None of the keys is one of this account',
    hint: "The key of a cosigner is that of m/45'/111111'/account', of one of the keys in account.keys.",
  })
