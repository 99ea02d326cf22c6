import { decodeAddress, isValidAddress } from '../../../model/address.js'
import { prefixOf } from '../account.js'
import { toPaymentTransaction, type FakePayment } from '../payment.js'
import { throwValue } from '../throw-value.js'
import type { SafeTransaction } from '../safe-transaction.js'
import { KastleError } from './errors.js'
import { addressOf, approve, requireConnection, type Kastle } from './extension.js'
import { PROFILES } from './profile.js'
import { paymentIssues } from './validation.js'

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
  requireFunds(kastle, BigInt(sompi), 'Failed to send kaspa: Insufficient funds')
  if (kastle.behavior.transactions > 1 && PROFILES[kastle.profile].chainedPayment === 'refused')
    return throwValue(BATCH)
  await approve(kastle, 'send', args)
  const payload = options?.payload ?? ''
  return pay(kastle, [{ address: toAddress, amount: BigInt(sompi) }], BigInt(options?.priorityFee ?? 0), payload).id
}

/** The unsigned transactions of a payment, with amounts as strings. */
export function buildTransaction(kastle: Kastle, args: unknown): object {
  const { outputs, options } = args as BuildArguments
  requireConnection(kastle)
  requireValid(
    outputs.flatMap(({ amount }: { amount: unknown }, index) =>
      typeof amount === 'string' ? [] : [`outputs ${index} amount: Expected string, received ${typeof amount}`],
    ),
  )
  if (outputs.length === 0) throw new KastleError('Failed to create transaction')
  const paid = outputs.map(({ address, amount }) => ({ address, amount: BigInt(amount) }))
  for (const { address } of paid) requireAddress(kastle, address)
  const total = paid.reduce((sum, { amount }) => sum + amount, 0n)
  requireFunds(kastle, total, 'Failed to create transaction')
  const priorityFee = BigInt(options?.priorityFee ?? 0)
  const build = (): SafeTransaction => pay(kastle, paid, priorityFee, options?.payload ?? '')
  return {
    networkId: kastle.accountState.state.network,
    transactions: Array.from({ length: kastle.behavior.transactions }, build).map(toBuiltTransaction),
  }
}

const BATCH = { code: 4300, message: 'BATCH_REQUIRED' }

const toBuiltTransaction = (safe: SafeTransaction): object => ({
  txJson: JSON.stringify(safe),
  id: safe.id,
  feeAmount: String(FEE),
  changeAmount: safe.outputs.at(-1)?.value ?? '0',
})

function pay(kastle: Kastle, outputs: FakePayment['outputs'], priorityFee: bigint, payload: string): SafeTransaction {
  return toPaymentTransaction({
    from: addressOf(kastle),
    outputs,
    fee: FEE + priorityFee,
    payload,
    nonce: kastle.nextNonce(),
  })
}

function requireValid(issues: readonly unknown[]): void {
  if (issues.length > 0) throw new KastleError(`Invalid payload: ${JSON.stringify(issues, null, 2)}`)
}

function requireAddress({ accountState }: Kastle, address: string): void {
  const isOnNetwork = isValidAddress(address) && decodeAddress(address).prefix === prefixOf(accountState.state.network)
  if (!isOnNetwork) throw new KastleError('Invalid toAddress')
}

function requireFunds({ balance }: Kastle, amount: bigint, message: string): void {
  if (amount + FEE > balance) throw new KastleError(message)
}

const fractionMessage = (sompi: number): string =>
  `RangeError: The number ${sompi} cannot be converted to a BigInt because it is not an integer`
