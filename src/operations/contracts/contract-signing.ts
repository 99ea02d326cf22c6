import { invalidArgument } from '../../errors/chain-error.js'
import { contractRefused } from '../../errors/contract-errors.js'
import { decodeAddress, toScriptPublicKey } from '../../model/address.js'
import { fromHex, toHex } from '../../model/hex.js'
import type { AddressPrefix } from '../../model/network.js'
import { placeholderSignature } from '../../model/sighash.js'
import type { BuiltTransaction } from '../transactions/build.js'
import type { InputSigner, Signable } from '../transactions/sign/inputs-to-sign.js'
import type { PlanSigning, SignatureScripts } from '../transactions/sign/sign-with-keys.js'
import type { SignedCall } from '../../sdk/port.js'
import { type ContractSpend, runSpends } from './contract-spend.js'
import type { SignatureOf } from '../../model/contracts/value-codec.js'
import type { SerializedCall } from '../../model/serialized-transaction.js'
import type { PlacedCall } from './place-calls.js'

/** A call whose arguments may hold signatures. */
export interface SignableSpend extends ContractSpend {
  /** The keys whose signatures its arguments hold, in their order. */
  readonly signers: readonly InputSigner[]
}

/** A transaction of a plan with calls, which are its first inputs. */
interface SignableCalls {
  readonly id: string
  readonly spends: readonly SignableSpend[]
}

/**
 * Signs the arguments of calls like the inputs of payments, by the same keys or the same signer. Each transaction is
 * executed with its signatures before they are used. Throws `ChainError` (`contract-refused`).
 */
export function withCalls(signing: PlanSigning, calls: readonly SignableCalls[]): PlanSigning {
  const spendsOf = (one: Signable): SignableCalls['spends'] =>
    calls.find(({ id }) => isBuilt(one) && one.id === id)?.spends ?? []
  const toSignable = (one: Signable): Signable => {
    const signers = spendsOf(one).map((spend) => spend.signers)
    return signers.length === 0 ? one : { ...one, signers: [...signers, ...fundingOf(one, signers.length)] }
  }
  const finish = (plan: readonly Signable[], signatures: SignatureScripts): SignatureScripts => {
    const remaining = signatures.values()
    const next = (): string => remaining.next().value ?? ''
    return plan.flatMap((one) => {
      const spends = spendsOf(one)
      return isBuilt(one) && spends.length > 0 ? scriptsOf(one, spends, next) : one.spent.map(next)
    })
  }
  return {
    sign: (plan, privateKeys) => finish(plan, signing.sign(plan.map(toSignable), privateKeys)),
    signAsync: async (plan, keysOrSigner, context) =>
      finish(plan, await signing.signAsync(plan.map(toSignable), keysOrSigner, context)),
  }
}

const isBuilt = (one: Signable): one is BuiltTransaction => 'id' in one

const fundingOf = ({ spent }: Signable, calls: number): readonly (readonly InputSigner[])[] =>
  spent.slice(calls).map(({ scriptPublicKey }) => [{ scriptPublicKey }])

/**
 * The keys whose signatures the arguments of a call hold, in their order; `shown` is what signers show of it. Throws
 * `ChainError` (`invalid-argument`) for an address of another network, and of a script.
 */
export function signersOf(
  script: ContractSpend['script'],
  shown: SignedCall,
  prefix: AddressPrefix,
): readonly InputSigner[] {
  const signers: InputSigner[] = []
  script((address, path) => {
    const decoded = decodeAddress(address, path)
    if (decoded.prefix !== prefix)
      throw invalidArgument(path, `"${path}" is an address of another network`, `Its addresses begin with ${prefix}:.`)
    if (decoded.version === 'ScriptHash')
      throw invalidArgument(path, `"${path}" is the address of a script, which has no key`)
    signers.push({ scriptPublicKey: toScriptPublicKey(address), contract: shown })
    return placeholderSignature(decoded.payload)
  })
  return signers
}

/** The scripts of all inputs; empty ones where a signature is missing. */
function scriptsOf(built: BuiltTransaction, spends: readonly SignableSpend[], next: () => string): SignatureScripts {
  const called = spends.map(({ script, signers }) => {
    const signatures = signers.map(next)
    if (signatures.includes('')) return ''
    const made = signatures.map((signature) => fromHex(signature.slice(2))).values()
    return script(() => made.next().value ?? new Uint8Array(0))
  })
  const scripts = [...called, ...built.spent.slice(spends.length).map(next)]
  if (!scripts.includes('')) requireExecuted(built, spends, scripts)
  return scripts
}

function requireExecuted(built: BuiltTransaction, spends: readonly ContractSpend[], scripts: SignatureScripts): void {
  const { transaction } = built
  const inputs = transaction.inputs.map((input, at) => ({ ...input, signatureScript: scripts[at] ?? '' }))
  const run = runSpends({ ...built, transaction: { ...transaction, inputs } }, spends, 'signed')
  if (run.kind === 'refused') throw contractRefused(run)
}

/** What a later process needs of a call to sign it, and to know what follows. */
export function toCallRecord({ call, states, args, state }: PlacedCall): SerializedCall {
  const { covenantId, entry, target, options } = call
  const script: ContractSpend['script'] = (sign) =>
    target.contract.signatureScript(state as never, entry, args as never, sign)
  return {
    covenantId,
    entry,
    signatures: placeholdersIn(script),
    redeemScripts: states.map((next) => target.contract.redeemScript(next as never)),
    computeBudget: options.computeBudget,
  }
}

/** Where a signature script has placeholders: found by the bytes that change with each. */
function placeholdersIn(script: ContractSpend['script']): SerializedCall['signatures'] {
  const addresses: string[] = []
  const note: SignatureOf = (address) => {
    addresses.push(address)
    return placeholderOf(address)
  }
  const plain = fromHex(script(note))
  return addresses.map((address, position) => {
    let signed = 0
    const inverted = fromHex(script((of) => (signed++ === position ? invert(placeholderOf(of)) : placeholderOf(of))))
    return { at: plain.findIndex((byte, at) => byte !== inverted[at]), address }
  })
}

const placeholderOf = (address: string): Uint8Array<ArrayBuffer> => placeholderSignature(decodeAddress(address).payload)

/** Whether a signature script has one of the placeholders of its record: then nothing has signed it. */
export const hasPlaceholder = (script: string, record: SerializedCall | undefined): boolean =>
  record?.signatures.some((one) => isPlaceholder(script, one)) === true

/** Whether a signature script has a placeholder where a record says so. */
export const isPlaceholder = (script: string, { at, address }: SerializedCall['signatures'][number]): boolean =>
  script.startsWith(toHex(placeholderOf(address)), 2 * at)

const invert = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes, (byte) => byte ^ 0xff)
