import { BehaviorSubject, Observable, defer, type ObservableInput } from 'rxjs'
import { ChainWalletError, asErrorOf, withPaymentOutcome } from '../../errors/wallet-error.js'
import { isValidAddress } from '../../model/address.js'
import type { Platform, PlatformStorage } from '../../platform/port.js'
import type { WalletOutput } from '../../wallets/port.js'

/**
 * A payment that was passed to a wallet, and whose outcome the page does not know: the page was reloaded, or the
 * payment ended as `unknown-outcome`. The wallet's window may still be open and pay. Its transaction id is not known.
 */
export interface InterruptedPayment {
  /** Of this entry, for `dismissInterrupted`; not of a transaction. */
  readonly id: string
  /** The wallet's id, as in `WalletInfo`. */
  readonly wallet: string
  /** The paying address. */
  readonly from: string
  readonly outputs: readonly WalletOutput[]
  /** When the wallet was called, Unix ms. */
  readonly startedAt: number
}

/** A transaction on the network that is an interrupted payment. */
export interface SeenPayment {
  /** The id of the `InterruptedPayment`. */
  readonly id: string
  readonly transactionId: string
}

/** The wallet payments of this tab without a known outcome, kept over a reload. */
export interface InterruptedPayments {
  /** Those whose prompt this page does not await. Hot; replays the current list. */
  readonly interrupted$: Observable<readonly InterruptedPayment[]>
  /**
   * Keeps a payment while `pay` runs, and afterwards unless it emits a transaction id or proves that nothing was sent.
   */
  during(payment: StartedPayment, pay: () => ObservableInput<string>): Observable<string>
  /** Whether a transaction is known as another payment's: it ends no second one. */
  isTaken(transactionId: string): boolean
  /** The payment is on the network. */
  see(seen: SeenPayment): void
  /** The user dismissed the payment. */
  dismiss(id: string): void
}

type StartedPayment = Pick<InterruptedPayment, 'wallet' | 'from' | 'outputs'>

const KEY = 'vue-chain:wallet-payments'

/** Payments that are kept, at most, and ids of other payments; the oldest go first. */
const LIMITS = { payments: 20, taken: 200 } as const

type TabPlatform = Pick<Platform, 'tabStorage' | 'now' | 'random'>

export function keepInterrupted({ tabStorage, now, random }: TabPlatform): InterruptedPayments {
  const stored = read(attempt(() => tabStorage?.get(KEY)))
  const interrupted$ = new BehaviorSubject(stored.payments)
  let { taken } = stored
  /** Payments whose prompt this page awaits. */
  let awaited: readonly InterruptedPayment[] = []

  function write(): void {
    const payments = [...interrupted$.value, ...awaited].slice(-LIMITS.payments)
    const text = JSON.stringify({ payments: payments.map(toStored), taken })
    attempt(() => (payments.length === 0 ? tabStorage?.remove(KEY) : tabStorage?.set(KEY, text)))
  }
  function begin(started: StartedPayment): InterruptedPayment {
    const startedAt = now()
    const payment = { ...started, id: `${startedAt}-${Math.floor(random() * 1e9)}`, startedAt }
    awaited = [...awaited, payment]
    write()
    return payment
  }
  function end(payment: InterruptedPayment, outcome: 'known' | 'unknown'): void {
    if (!awaited.includes(payment)) return
    awaited = awaited.filter((other) => other !== payment)
    if (outcome === 'unknown') interrupted$.next([...interrupted$.value, payment].slice(-LIMITS.payments))
    write()
  }
  function take(transactionId: string): void {
    taken = [...taken, transactionId].slice(-LIMITS.taken)
  }
  function remove(id: string): void {
    const rest = interrupted$.value.filter((payment) => payment.id !== id)
    if (rest.length === interrupted$.value.length) return
    interrupted$.next(rest)
    write()
  }
  return {
    interrupted$,
    during: (started, pay) =>
      new Observable((subscriber) => {
        const payment = begin(started)
        subscriber.add(() => end(payment, 'unknown')) // aborted
        return defer(pay).subscribe({
          next: (transactionId) => {
            take(transactionId)
            end(payment, 'known')
            subscriber.next(transactionId)
          },
          error: (error: unknown) => {
            end(payment, isUnsent(error) ? 'known' : 'unknown')
            subscriber.error(error)
          },
          complete: () => subscriber.complete(),
        })
      }),
    isTaken: (transactionId) => taken.includes(transactionId),
    see: ({ id, transactionId }) => {
      take(transactionId)
      remove(id)
    },
    dismiss: remove,
  }
}

/** Whether an error proves that nothing was sent. */
const isUnsent = (error: unknown): boolean =>
  error instanceof ChainWalletError && withPaymentOutcome(asErrorOf('sendKaspa', error)).outcome === 'unsent'

const toStored = (payment: InterruptedPayment): object => ({
  ...payment,
  outputs: payment.outputs.map(({ address, amount }) => ({ address, amount: String(amount) })),
})

interface Stored {
  readonly payments: readonly InterruptedPayment[]
  readonly taken: readonly string[]
}

/** Other scripts of the page can write there: what is not a payment is left out. */
function read(text: string | null | undefined): Stored {
  const stored = attempt((): unknown => JSON.parse(text ?? '{}'))
  const { payments, taken } = isRecord(stored) ? stored : {}
  return {
    payments: Array.isArray(payments) ? payments.slice(-LIMITS.payments).flatMap(toPayment) : [],
    taken: Array.isArray(taken) ? taken.slice(-LIMITS.taken).filter((id) => typeof id === 'string') : [],
  }
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

function toPayment(stored: unknown): readonly InterruptedPayment[] {
  if (!isRecord(stored) || !Array.isArray(stored.outputs)) return []
  const { id, wallet, from: payer, startedAt } = stored
  const outputs = stored.outputs.flatMap(toOutput)
  const isComplete = outputs.length > 0 && outputs.length === stored.outputs.length
  if (typeof id !== 'string' || typeof wallet !== 'string' || !isValidAddress(payer)) return []
  return isComplete && typeof startedAt === 'number' ? [{ id, wallet, from: payer, outputs, startedAt }] : []
}

function toOutput(output: unknown): readonly WalletOutput[] {
  if (!isRecord(output) || !isValidAddress(output.address)) return []
  const { address, amount } = output
  return typeof amount === 'string' && /^\d{1,20}$/.test(amount) ? [{ address, amount: BigInt(amount) }] : []
}

const WALLET_KEY = 'vue-chain:wallet'

/**
 * The last visit's wallet, kept in the platform's storage. Storage failures are ignored: nothing is remembered then.
 */
interface Remembered {
  /** The wallet's id; null if unknown. */
  read(): string | null
  write(wallet: string): void
  forget(): void
}

export function rememberIn(storage: PlatformStorage | null): Remembered {
  return {
    read: () => attempt(() => storage?.get(WALLET_KEY)) ?? null,
    write: (wallet) => attempt(() => storage?.set(WALLET_KEY, wallet)),
    forget: () => attempt(() => storage?.remove(WALLET_KEY)),
  }
}

/** The result of `access`; undefined if it throws. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access()
  } catch {
    // Storage is full, blocked or not ours: the next visit then starts without what was kept.
    return undefined
  }
}
