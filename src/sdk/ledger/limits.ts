import { invalidArgument } from '../../errors/chain-error.js'
import type { SignerLimits } from '../signer.js'
import type { LedgerTransport } from './transport.js'

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
