import { defer, map, switchMap, type Observable } from 'rxjs'
import { refuseArgument, ChainWalletError } from '../../errors/wallet-error.js'
import { toScriptPublicKey } from '../../model/address.js'
import { fieldOf } from '../to-wallet-error.js'
import type { WalletAccount, WalletPayment } from '../port.js'
import { hasMethods, invoke, isProvider, type Provider, sendByNumber } from '../provider.js'
import { toTransactionId } from '../read-snapshot.js'
import { type WalletEnvironment, withVisibleTimeout } from '../environment.js'

/** Kastle's minimum payment, sompi: 0.2 KAS. */
const MINIMUM = 20_000_000n

/**
 * Pays through Kastle. Builds the transaction first if the version can, because `sendKaspa` does not reveal it. An
 * abort while building opens no window.
 */
export const pay$ = (
  provider: Provider,
  payment: WalletPayment,
  account: WalletAccount,
  environment: WalletEnvironment,
): Observable<string> =>
  defer(() => {
    payment.outputs.forEach(({ amount }, at) =>
      checkMinimum(amount, payment.outputs.length > 1 ? `outputs[${at}].amount` : 'amount'),
    )
    // before 2.47.0
    return canBuild(provider) ? payBuilt$(provider, payment, account, environment) : sendByNumber(provider, payment)
  }).pipe(map(toTransactionId))

/** Since 2.47.0; such a payment can have several outputs. */
export const canBuild = (provider: Provider): boolean => hasMethods(provider, 'buildTransaction', 'signAndBroadcastTx')

function checkMinimum(amount: bigint, argument: string): void {
  if (amount >= MINIMUM) return
  const cause = new RangeError(`${amount} sompi is less than ${MINIMUM}, the minimum of this wallet`)
  throw refuseArgument('sendKaspa', argument, cause, `Pay ${MINIMUM} sompi or more.`)
}

const payBuilt$ = (
  provider: Provider,
  payment: WalletPayment,
  account: WalletAccount,
  environment: WalletEnvironment,
): Observable<unknown> =>
  defer(() => build(provider, payment, environment)).pipe(
    switchMap((built) => {
      requireBuilt(built, payment, account)
      return invoke(provider, 'sendKaspa', 'signAndBroadcastTx', built.networkId, built.txJson)
    }),
  )

/** Timeout in seconds: Kastle fetches the UTXOs from its node. */
const BUILD_TIMEOUT = 30

/** The step's name in errors until the payment's prompt renames it: it sends nothing, whatever its failure. */
const BUILD = 'buildTransaction'

/** A payment built by Kastle: one unsigned transaction. */
interface BuiltTransaction {
  readonly networkId: string
  readonly txJson: string
}

/**
 * Builds a payment in Kastle without a prompt and without sending. Amounts are decimal strings and therefore exact.
 * Refuses a payment that needs several transactions: up to 2.59.0 Kastle sends only the first of them, which does not
 * pay the recipient, and returns its id.
 */
async function build(
  provider: Provider,
  payment: WalletPayment,
  environment: WalletEnvironment,
): Promise<BuiltTransaction> {
  const { priorityFee, payload } = payment
  const outputs = payment.outputs.map(({ address, amount }) => ({ address, amount: String(amount) }))
  const fee = { priorityFee: String(priorityFee) }
  const options = payload === '' ? fee : { ...fee, payload }
  const buildTransaction = () => invoke(provider, BUILD, 'buildTransaction', outputs, options)
  return parseBuilt(provider, await withVisibleTimeout(environment, BUILD, buildTransaction, BUILD_TIMEOUT))
}

function parseBuilt(provider: Provider, result: unknown): BuiltTransaction {
  const { networkId, transactions } = isProvider(result) ? result : {}
  if (typeof networkId !== 'string' || !Array.isArray(transactions)) throw notBuiltError(result)
  if (transactions.length > 1) throw tooManyUtxosError(provider, transactions.length)
  const built: unknown = transactions[0]
  if (!isProvider(built) || typeof built.txJson !== 'string') throw notBuiltError(result)
  return { networkId, txJson: built.txJson }
}

/** Throws where the wallet has built something else than the payment: on another network, or to others. */
function requireBuilt(
  { networkId, txJson }: BuiltTransaction,
  { outputs }: WalletPayment,
  { network }: WalletAccount,
): void {
  if (networkId !== network && network !== null) throw otherNetworkError(networkId)
  const built = outputsOf(txJson)
  for (const { address, amount } of outputs) {
    const at = built.indexOf(toText(amount, `0000${toScriptPublicKey(address).script}`))
    if (at === -1) throw otherPaymentError(txJson)
    built.splice(at, 1) // one output pays one recipient
  }
}

/** The outputs of a transaction in safe JSON, where a script begins with its version; none where it is no JSON. */
function outputsOf(txJson: string): string[] {
  try {
    const outputs = fieldOf(JSON.parse(txJson), 'outputs')
    return Array.isArray(outputs)
      ? outputs.map((one) => toText(fieldOf(one, 'value'), fieldOf(one, 'scriptPublicKey')))
      : []
  } catch {
    return [] // no JSON
  }
}

const toText = (value: unknown, script: unknown): string => `${String(value)} ${String(script)}`

const otherNetworkError = (networkId: string): ChainWalletError =>
  new ChainWalletError(BUILD, new Error(`The wallet built a transaction of ${networkId.slice(0, 32)}`), {
    code: 'wrong-network',
    hint: 'Select the network in the wallet. Nothing was sent.',
  })

const otherPaymentError = (txJson: string): ChainWalletError =>
  new ChainWalletError(BUILD, txJson, {
    code: 'unexpected-response',
    details: 'The wallet built a transaction without the outputs of the payment',
    hint: 'Update the wallet, or pay with another one. Nothing was sent.',
  })

const notBuiltError = (result: unknown): ChainWalletError =>
  new ChainWalletError(BUILD, result, {
    code: 'failed',
    hint: 'The wallet built no transaction; nothing was sent.',
  })

const tooManyUtxosError = (provider: Provider, count: number): ChainWalletError =>
  new ChainWalletError(BUILD, new Error(`The amount requires so many UTXOs that it takes ${count} transactions`), {
    code: 'failed',
    hint: `Compound the wallet's UTXOs first${compoundBy(provider)}, or pay in smaller parts. Nothing was sent.`,
  })

/** Kastle compounds by a method of its own since 2.52.0. */
const compoundBy = (provider: Provider): string =>
  hasMethods(provider, 'compoundUtxos') ? " by request('compoundUtxos', [{}])" : ''
