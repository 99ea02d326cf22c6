import { signerLimit } from '../../errors/payment-errors.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS, isChainNetwork } from '../../model/network.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import type { SignatureRequest, SignerLimits } from '../port.js'
import { invalidArgument } from '../../errors/chain-error.js'

/** Where a key is in the account of the device. */
interface DevicePath {
  /** 0 for receiving, 1 for change. */
  readonly type: 0 | 1
  readonly index: number
}

/** A transaction as the app signs it, with the sequences, the lock time and the payload of a plain payment. */
export interface DeviceTransaction {
  readonly inputs: readonly (DevicePath & {
    readonly transactionId: string
    readonly outpointIndex: number
    /** Sompi. */
    readonly value: number
    /** The hash that the app must sign, 32 bytes. */
    readonly sighash: Uint8Array
  })[]
  readonly outputs: readonly { readonly value: number; readonly script: string }[]
  /** Of the second output; the app derives its address. */
  readonly change: DevicePath
}

interface DeviceContext {
  readonly limits: DeviceLimits
  readonly keyPathOf: (address: string) => string | undefined
}

/**
 * Checks that the app can sign a transaction. Throws `SignerLimitError`: a plan that knew the limits of the signer has
 * none of these faults.
 */
export function toDeviceTransaction(
  { version, inputs, outputs, lockTime, payload, restore }: SerializedTransaction,
  requests: readonly SignatureRequest[],
  { limits, keyPathOf }: DeviceContext,
): DeviceTransaction {
  if (version !== 0 || lockTime !== '0' || requests.length !== inputs.length) throw refused('version', NOT_PLAIN)
  if (payload !== '') throw refused('payload', 'The app signs no payload')
  if (inputs.length > limits.maxInputs) throw refused('maxInputs', `The app signs ${limits.maxInputs} inputs at most`)
  if (inputs.some(({ sequence }) => sequence !== '0')) throw refused('commitAmounts', 'The app signs sequence 0 only')
  const [, second, ...others] = outputs
  if (others.length > 0) throw refused('maxRecipients', 'The app signs one recipient and the change')
  const network = restore?.network
  const prefix = network !== undefined && isChainNetwork(network) ? NETWORKS[network].addressPrefix : 'kaspa'
  const changeAddress = second && toAddress(second.scriptPublicKey, prefix)
  const change = second ? toPath(keyPathOf(changeAddress ?? ''), limits.account) : NO_CHANGE
  if (change === undefined) throw refused('change', `The second output is no address of account ${limits.account}`)
  return {
    change,
    outputs: outputs.map(({ value, scriptPublicKey }) => ({
      value: toNumber(value, limits),
      script: scriptPublicKey.script,
    })),
    inputs: inputs.map(({ previousOutpoint: { transactionId, index } }, at) => {
      const { sighash, keyPath, address } = requests[at] ?? {}
      const path = toPath(keyPath, limits.account)
      if (sighash === undefined || path === undefined)
        throw refused('account', `${address ?? 'An input'} is no address of account ${limits.account}`)
      if (index > limits.maxOutpointIndex) throw refused('maxOutpointIndex', `The app spends no output ${index}`)
      return {
        ...path,
        sighash,
        transactionId,
        outpointIndex: index,
        value: toNumber(restore?.spent[at]?.amount, limits),
      }
    }),
  }
}

const NO_CHANGE: DevicePath = { type: 0, index: 0 }
const NOT_PLAIN = 'The app signs plain payments only: version 0, no lock time, one signature for each input'

/** The path of a key of an account of the device. */
function toPath(keyPath: string | undefined, account: number): DevicePath | undefined {
  const [, found, type, index] = /^m\/44'\/111111'\/(\d+)'\/([01])\/(\d+)$/.exec(keyPath ?? '') ?? []
  return Number(found) === account ? { type: type === '1' ? 1 : 0, index: Number(index) } : undefined
}

function toNumber(sompi: string | undefined, { maxAmount }: DeviceLimits): number {
  if (sompi !== undefined && BigInt(sompi) <= maxAmount) return Number(sompi)
  throw refused('maxAmount', `The app signs amounts up to ${maxAmount} sompi`)
}

const refused = (limit: string, message: string) => signerLimit(limit, 'signer', message, PLAN)
const PLAN = 'Plan the payment with this signer: estimate, create and send take `signer`, and obey its limits.'

/** What the Kaspa app 1.0.3 signs, as far as is known, and by the numbers of its package. No device was tried. */
export interface DeviceLimits extends SignerLimits {
  readonly maxInputs: number
  readonly maxOutpointIndex: number
  readonly maxAmount: bigint
  readonly account: number
}

/** Inputs of one transaction: the memory of the device. */
const [INPUTS, INPUTS_OF_NANO_S] = [128, 15]

const HARDENED = 2 ** 31

/** Throws `ChainError` (`invalid-argument`). */
export function toDeviceLimits(
  { deviceModel }: LedgerTransport,
  accountIndex: number,
  maxInputs = deviceModel && deviceModel.id !== 'nanoS' ? INPUTS : INPUTS_OF_NANO_S, // which every device signs
): DeviceLimits {
  requireWhole('accountIndex', accountIndex, [0, HARDENED - 1])
  requireWhole('maxInputs', maxInputs, [1, INPUTS])
  return {
    maxInputs,
    maxRecipients: 1,
    change: 'own-path',
    payload: false,
    schemes: ['schnorr'],
    maxOutpointIndex: 255, // one byte
    maxAmount: BigInt(Number.MAX_SAFE_INTEGER), // of the package: the app has 64 bits
    account: accountIndex,
    commitAmounts: false,
  }
}

function requireWhole(argument: string, value: number, [least, most]: readonly [number, number]): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw invalidArgument(argument, `"${argument}" must be a whole number from ${least} to ${most}`)
}

/**
 * The connection to a device: a transport of Ledger, such as `@ledgerhq/hw-transport-webhid`, whose parts the package
 * of the app uses.
 */
export interface LedgerTransport {
  /** One command and its reply, the status word included. */
  send(cla: number, ins: number, p1: number, p2: number, data?: Uint8Array, statusList?: number[]): Promise<Uint8Array>
  decorateAppAPIMethods(self: object, methods: string[], scrambleKey: string): void
  /** Known of devices over USB and Bluetooth. */
  readonly deviceModel?: { readonly id: string } | null | undefined
}
