import { ChainWalletError } from '../../errors/wallet-error.js'
import type { WalletPayment } from '../port.js'
import { invoke, isProvider, type Provider } from '../provider.js'
import type { Surroundings } from '../surroundings.js'
import { withinSight } from '../within-sight.js'

/** How long, in seconds, Kastle may take to gather coins; it asks its node for them. */
const PATIENCE = 30

/** A payment as Kastle has built it: one transaction, not signed yet. */
interface Built {
  readonly networkId: string
  readonly txJson: string
}

/**
 * Has Kastle build a payment; nobody is asked and nothing is sent. Amounts travel as decimal texts, exact whatever their
 * size. A payment that takes several transactions is refused: up to 2.59.0 Kastle would send only the first of them, which
 * pays nobody, and call that the payment.
 */
export async function build(provider: Provider, payment: WalletPayment, surroundings: Surroundings): Promise<Built> {
  const { to, amount, priorityFee, payload } = payment
  const outputs = [{ address: to, amount: String(amount) }]
  const fee = { priorityFee: String(priorityFee) }
  const options = payload === '' ? fee : { ...fee, payload }
  const ask = () => invoke(provider, 'sendKaspa', 'buildTransaction', outputs, options)
  try {
    return readBuilt(await withinSight(surroundings, 'sendKaspa', ask, PATIENCE))
  } catch (error) {
    throw asUnsent(error)
  }
}

function readBuilt(answer: unknown): Built {
  const { networkId, transactions } = isProvider(answer) ? answer : {}
  if (typeof networkId !== 'string' || !Array.isArray(transactions)) throw notBuilt(answer)
  if (transactions.length > 1) throw tooManyCoins(transactions.length)
  const built: unknown = transactions[0]
  if (!isProvider(built) || typeof built.txJson !== 'string') throw notBuilt(answer)
  return { networkId, txJson: built.txJson }
}

/** The wallet's silence leaves a payment's outcome unknown, but not while it is only being built. */
const asUnsent = (error: unknown): unknown =>
  error instanceof ChainWalletError && error.code === 'unknown-outcome'
    ? new ChainWalletError('sendKaspa', error.cause, { code: 'timeout', hint: 'Nothing was sent. Try again.' })
    : error

const notBuilt = (answer: unknown): ChainWalletError =>
  new ChainWalletError('sendKaspa', answer, {
    code: 'failed',
    hint: 'The wallet built no transaction; nothing was sent.',
  })

const tooManyCoins = (count: number): ChainWalletError =>
  new ChainWalletError('sendKaspa', new Error(`The amount lies in so many coins that it takes ${count} transactions`), {
    code: 'failed',
    hint: "Compound the wallet's coins first, or pay in smaller parts. Nothing was sent.",
  })
