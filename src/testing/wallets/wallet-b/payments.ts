import { decodeAddress, isValidAddress } from '../../../model/address.js'
import { prefixOf } from '../account-state.js'
import { type FakePayment, NodeFailure } from '../node/wallet-node.js'
import { throwValue } from '../extension-calls.js'
import type { SafeTransaction } from '../safe-transaction.js'
import { KastleError, addressOf, approve, balanceOf, requireConnection, type Kastle, PROFILES } from './extension.js'

interface SendArguments {
  readonly toAddress: string
  readonly sompi: number
  readonly options?: { readonly priorityFee?: number; readonly payload?: string }
}

interface BuildArguments {
  readonly outputs: readonly { readonly address: string; readonly amount: string }[]
  readonly options?: { readonly priorityFee?: string; readonly payload?: string }
}

const FEE = 10_000n

/**
 * Pays. If that takes several transactions, 2.59 shows and sends only the first, which does not pay the recipient, and
 * returns its id; later versions reject.
 */
export async function sendSompi(kastle: Kastle, args: unknown): Promise<string> {
  const { toAddress, sompi, options } = args as SendArguments
  requireConnection(kastle)
  requireValid(paymentIssues(toAddress, sompi, options))
  requireAddress(kastle, toAddress)
  if (!Number.isInteger(sompi)) throw new KastleError(`Failed to send kaspa: ${fractionMessage(sompi)}`)
  await requireFunds(kastle, BigInt(sompi), INSUFFICIENT)
  if (kastle.behavior.transactions > 1 && PROFILES[kastle.profile].chainedPayment === 'refused')
    return throwValue(BATCH)
  await approve(kastle, 'send', args)
  const payload = options?.payload ?? ''
  const outputs = [{ address: toAddress, amount: BigInt(sompi) }]
  try {
    const [first] = await build(kastle, outputs, BigInt(options?.priorityFee ?? 0), payload)
    if (first === undefined) throw new KastleError(INSUFFICIENT)
    await kastle.node.send(first, kastle.accountState.account) // the first one only, also where several are needed
    return first.id
  } catch (error) {
    throw error instanceof NodeFailure ? new KastleError(toSendMessage(error)) : error
  }
}

const INSUFFICIENT = 'Failed to send kaspa: Insufficient funds'

const toSendMessage = ({ isInsufficient, message }: NodeFailure): string =>
  isInsufficient ? INSUFFICIENT : `Failed to send kaspa: Error: RPC Server (remote error) -> ${message}`

/** The unsigned transactions of a payment, with amounts as strings. */
export async function buildTransaction(kastle: Kastle, args: unknown): Promise<object> {
  const { outputs, options } = args as BuildArguments
  requireConnection(kastle)
  requireValid(
    outputs.flatMap(({ amount }: { amount: unknown }, index) =>
      typeof amount === 'string' ? [] : [`outputs ${index} amount: Expected string, received ${typeof amount}`],
    ),
  )
  if (outputs.length === 0) throw new KastleError(NOT_BUILT)
  const paid = outputs.map(({ address, amount }) => ({ address, amount: BigInt(amount) }))
  for (const { address } of paid) requireAddress(kastle, address)
  const total = paid.reduce((sum, { amount }) => sum + amount, 0n)
  await requireFunds(kastle, total, NOT_BUILT)
  const priorityFee = BigInt(options?.priorityFee ?? 0)
  try {
    const transactions: SafeTransaction[] = []
    for (let nth = 0; nth < kastle.behavior.transactions; nth++)
      transactions.push(...(await build(kastle, paid, priorityFee, options?.payload ?? '')))
    return { networkId: kastle.accountState.state.network, transactions: transactions.map(toBuiltTransaction) }
  } catch (error) {
    throw error instanceof NodeFailure ? new KastleError(NOT_BUILT) : error
  }
}

const NOT_BUILT = 'Failed to create transaction'

const BATCH = { code: 4300, message: 'BATCH_REQUIRED' }

const toBuiltTransaction = (safe: SafeTransaction): object => ({
  txJson: JSON.stringify(safe),
  id: safe.id,
  feeAmount: String(feeOf(safe)),
  changeAmount: safe.outputs.at(-1)?.value ?? '0',
})

const feeOf = ({ inputs, outputs }: SafeTransaction): bigint =>
  inputs.reduce((sum, { utxo }) => sum + BigInt(utxo.amount), 0n) -
  outputs.reduce((sum, { value }) => sum + BigInt(value), 0n)

const build = (
  kastle: Kastle,
  outputs: FakePayment['outputs'],
  fee: bigint,
  payload: string,
): Promise<readonly SafeTransaction[]> => kastle.node.build({ from: addressOf(kastle), outputs, fee, payload })

function requireValid(issues: readonly unknown[]): void {
  if (issues.length > 0) throw new KastleError(`Invalid payload: ${JSON.stringify(issues, null, 2)}`)
}

function requireAddress({ accountState }: Kastle, address: string): void {
  const isOnNetwork = isValidAddress(address) && decodeAddress(address).prefix === prefixOf(accountState.state.network)
  if (!isOnNetwork) throw new KastleError('Invalid toAddress')
}

async function requireFunds(kastle: Kastle, amount: bigint, message: string): Promise<void> {
  if (amount + FEE > (await balanceOf(kastle))) throw new KastleError(message)
}

const fractionMessage = (sompi: number): string =>
  `RangeError: The number ${sompi} cannot be converted to a BigInt because it is not an integer`

/** A validation issue in the format of zod, which Kastle uses. */
interface Issue {
  readonly code: string
  readonly message: string
  readonly path: readonly (string | number)[]
  readonly [detail: string]: unknown
}

/** The issues of a payment's arguments. */
export const paymentIssues = (to: unknown, sompi: unknown, options: unknown): Issue[] => [
  ...textIssues(to, ['toAddress'], 'toAddress cannot be empty'),
  ...amountIssues(sompi, ['sompi'], 20_000_000, 'sompi must be greater than 0.2 KAS'),
  ...optionIssues(options),
]

export const textIssues = (value: unknown, path: Issue['path'], message: string): Issue[] => {
  if (typeof value !== 'string') return [wrongType('string', value, path)]
  if (value !== '') return []
  return [{ code: 'too_small', minimum: 1, type: 'string', inclusive: true, exact: false, message, path }]
}

/** Throws an `Error` named `ZodError` with the issues as its message and as a property; nothing if there are none. */
export function throwIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw Object.assign(new Error(JSON.stringify(issues, null, 2)), { name: 'ZodError', issues })
}

function optionIssues(options: unknown): Issue[] {
  if (options === undefined) return []
  if (typeof options !== 'object' || options === null) return [wrongType('object', options, ['options'])]
  const { priorityFee = 0, payload = '' } = options as { priorityFee?: unknown; payload?: unknown }
  const path = ['options', 'priorityFee']
  const fee = amountIssues(priorityFee, path, 0, 'priorityFee must be greater than or equal to 0')
  return [...fee, ...payloadIssues(payload)]
}

function amountIssues(value: unknown, path: Issue['path'], minimum: number, message: string): Issue[] {
  if (typeof value !== 'number') return [wrongType('number', value, path)]
  if (value >= minimum) return []
  return [{ code: 'too_small', minimum, type: 'number', inclusive: true, exact: false, message, path }]
}

function payloadIssues(payload: unknown): Issue[] {
  const path = ['options', 'payload']
  if (typeof payload !== 'string') return [wrongType('string', payload, path)]
  if (/^([0-9a-f]{2})*$/i.test(payload)) return []
  return [{ code: 'custom', message: 'payload must be a valid hex string (even length, 0-9 a-f only)', path }]
}

function wrongType(expected: string, value: unknown, path: Issue['path']): Issue {
  const received = value === null ? 'null' : typeof value
  return { code: 'invalid_type', expected, received, path, message: `Expected ${expected}, received ${received}` }
}
