import { invalidArgument } from '../../errors/chain-error.js'
import { ChainCryptoError } from '../../errors/crypto-error.js'
import type { SendOptions } from './records.js'
import type { KeysOrSigner } from './sign/plan-signing.js'
import { requireSigner } from './sign/require-signer.js'
import type { TransactionSigner } from '../../sdk/port.js'

/** Throws `ChainError` (`invalid-argument`): a misspelt `onSigned` would send a payment that was not stored. */
export function checkSendOptions(options: SendOptions, names = SEND_OPTIONS): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw invalidArgument(unknown, `There is no option "${unknown}"`, 'Check its spelling, or leave it out.')
  checkFunding(options)
  if (options.onSigned === undefined || typeof options.onSigned === 'function') return
  throw invalidArgument('onSigned', '"onSigned" must be a function')
}

const SEND_OPTIONS: readonly string[] = ['signal', 'onSigned', 'waitForFunds', 'chainDepth']

/** The options of what is planned and not signed. */
export const PLAN_OPTIONS: readonly string[] = ['signal', 'waitForFunds', 'chainDepth']

/** The options where everything is planned already. */
export const SIGN_OPTIONS: readonly string[] = ['signal', 'onSigned']

/** Throws `ChainError` (`invalid-argument`). */
export function checkFunding({ waitForFunds = 0, chainDepth = 0 }: FundingOptions): void {
  if (!(typeof waitForFunds === 'number' && waitForFunds >= 0 && waitForFunds <= LONGEST_WAIT))
    throw invalidArgument('waitForFunds', `"waitForFunds" must be ms from 0 to ${LONGEST_WAIT}`)
  if (!(Number.isInteger(chainDepth) && chainDepth >= 0 && chainDepth <= LONGEST_CHAIN))
    throw invalidArgument('chainDepth', `"chainDepth" must be an integer from 0 to ${LONGEST_CHAIN}`)
}

/** Where funds may come from that are not spendable when a payment is planned first. */
export type FundingOptions = Pick<SendOptions, 'signal' | 'waitForFunds' | 'chainDepth'>

/** Ms; and payments. */
const [LONGEST_WAIT, LONGEST_CHAIN] = [3_600_000, 10]

/** Exactly one of both. Throws `ChainError` (`invalid-argument`) and `ChainCryptoError` (`invalid-key`). */
export function requireSigning(
  operation: string,
  {
    privateKeys,
    signer,
  }: { readonly privateKeys: readonly string[] | undefined; readonly signer: TransactionSigner | undefined },
): KeysOrSigner {
  if (signer === undefined) return requireKeys(operation, privateKeys)
  if (privateKeys !== undefined)
    throw invalidArgument('signer', 'Both "privateKeys" and "signer" are set', 'Pass one of them.')
  requireSigner(signer)
  return signer
}

function requireKeys(operation: string, privateKeys: readonly string[] | undefined): readonly string[] {
  if (privateKeys !== undefined && isList(privateKeys) && privateKeys.length > 0) return privateKeys
  throw new ChainCryptoError(operation, new Error('privateKeys is empty'), {
    code: 'invalid-key',
    argument: 'privateKeys',
    hint: 'Pass the private keys, in hex, of the addresses that the entries belong to, or a signer.',
  })
}

/** Callers in JavaScript pass anything. */
const isList = (value: unknown): boolean => Array.isArray(value)
