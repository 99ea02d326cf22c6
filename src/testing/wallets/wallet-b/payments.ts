import { decodeAddress, isValidAddress } from '../../../model/address.js'
import { prefixOf } from '../account.js'
import { toTransactionOf } from '../payment.js'
import { refuse } from '../refuse.js'
import type { SafeTransaction } from '../safe-transaction.js'
import { Refusal } from './errors.js'
import { addressOf, approve, demandConnection, type Kastle } from './extension.js'
import { PROFILES } from './profile.js'
import { paymentIssues } from './validation.js'

interface Sending {
  readonly toAddress: string
  readonly sompi: number
  readonly options?: { readonly priorityFee?: number; readonly payload?: string }
}

interface Building {
  readonly outputs: readonly { readonly address: string; readonly amount: string }[]
  readonly options?: { readonly priorityFee?: string; readonly payload?: string }
}

const FEE = 10_000n

/**
 * Pays. Where that takes several transactions, 2.59 shows and sends the first only, which pays nobody, and gives its id;
 * later versions refuse.
 */
export async function sendSompi(kastle: Kastle, args: unknown): Promise<string> {
  const { toAddress, sompi, options } = args as Sending
  demandConnection(kastle)
  demandSense(paymentIssues(toAddress, sompi, options))
  demandAddress(kastle, toAddress)
  if (!Number.isInteger(sompi)) throw new Refusal(`Failed to send kaspa: ${fraction(sompi)}`)
  demandFunds(kastle, BigInt(sompi), 'Failed to send kaspa: Insufficient funds')
  if (kastle.answers.transactions > 1 && PROFILES[kastle.profile].chainedPayment === 'refused') return refuse(BATCH)
  await approve(kastle, 'send', args)
  const payload = options?.payload ?? ''
  return pay(kastle, toAddress, BigInt(sompi), BigInt(options?.priorityFee ?? 0), payload).id
}

/** The transactions that a payment takes, unsigned, with all numbers as text. */
export function buildTransaction(kastle: Kastle, args: unknown): object {
  const { outputs, options } = args as Building
  demandConnection(kastle)
  demandSense(
    outputs.flatMap(({ amount }: { amount: unknown }, index) =>
      typeof amount === 'string' ? [] : [`outputs ${index} amount: Expected string, received ${typeof amount}`],
    ),
  )
  const [output] = outputs
  if (output === undefined) throw new Refusal('Failed to create transaction')
  demandAddress(kastle, output.address)
  demandFunds(kastle, BigInt(output.amount), 'Failed to create transaction')
  const priorityFee = BigInt(options?.priorityFee ?? 0)
  const build = (): SafeTransaction =>
    pay(kastle, output.address, BigInt(output.amount), priorityFee, options?.payload ?? '')
  return {
    networkId: kastle.vault.state.network,
    transactions: Array.from({ length: kastle.answers.transactions }, build).map(toBuilt),
  }
}

const BATCH = { code: 4300, message: 'BATCH_REQUIRED' }

const toBuilt = (safe: SafeTransaction): object => ({
  txJson: JSON.stringify(safe),
  id: safe.id,
  feeAmount: String(FEE),
  changeAmount: safe.outputs[1]?.value ?? '0',
})

function pay(kastle: Kastle, to: string, amount: bigint, priorityFee: bigint, payload: string): SafeTransaction {
  return toTransactionOf({
    from: addressOf(kastle),
    to,
    amount,
    fee: FEE + priorityFee,
    payload,
    nonce: kastle.nextNonce(),
  })
}

function demandSense(issues: readonly unknown[]): void {
  if (issues.length > 0) throw new Refusal(`Invalid payload: ${JSON.stringify(issues, null, 2)}`)
}

function demandAddress({ vault }: Kastle, address: string): void {
  const isOurs = isValidAddress(address) && decodeAddress(address).prefix === prefixOf(vault.state.network)
  if (!isOurs) throw new Refusal('Invalid toAddress')
}

function demandFunds({ balance }: Kastle, amount: bigint, message: string): void {
  if (amount + FEE > balance) throw new Refusal(message)
}

const fraction = (sompi: number): string =>
  `RangeError: The number ${sompi} cannot be converted to a BigInt because it is not an integer`
