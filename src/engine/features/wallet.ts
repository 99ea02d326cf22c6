import { BehaviorSubject, EMPTY, catchError, defer, switchMap } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { isCodeNotLoaded, engineDisposed } from '../../errors/not-ready-error.js'
import {
  ChainWalletError,
  asWalletError,
  type ChainWalletErrorCode,
  isPaying,
  withPaymentOutcome,
} from '../../errors/wallet-error.js'
import { withOwnOutcome } from '../../errors/with-outcome.js'
import { NO_WALLET, type WalletOperation, type WalletSession } from '../../streams/wallet/wallet-session.js'
import { type ChainCore, partsOf, type CoreParts } from '../core-parts.js'
import type { SeenPayments } from '../../streams/wallet/create-session.js'
import { lazyMethods, lazyModule } from '../../loading/lazy-methods.js'
import { loadCode, onceLoaded } from '../../loading/load-code.js'
import { openWallets } from '../open-ports.js'

/**
 * The browser wallet in use, one session per engine. Its code is loaded, and wallets are detected, with the first
 * subscriber or operation.
 */
export function wallet(core: ChainCore): WalletSession {
  const parts = partsOf(core)
  const state$ = new BehaviorSubject(NO_WALLET)
  parts.lifetime.add(() => state$.complete())
  const session = onceLoaded(() => openSession(parts, state$))
  const loadOpen = async (): Promise<WalletSession> => {
    const opened = await session()
    if (parts.lifetime.closed) throw engineDisposed()
    return opened
  }

  async function recorded<T>(operation: WalletOperation, run: () => Promise<T>): Promise<T> {
    const startedAt = parts.platform.now()
    const end = (outcome: 'ok' | ChainWalletErrorCode): void => {
      const at = parts.platform.now()
      parts.probe?.record({ at, type: 'wallet', operation, ms: at - startedAt, outcome })
    }
    try {
      if (parts.lifetime.closed) throw engineDisposed()
      const result = await run()
      end('ok')
      return result
    } catch (cause) {
      const error = toFailure(operation, cause)
      end(error instanceof ChainWalletError ? error.code : 'failed')
      throw error
    }
  }

  /**
   * One object for all, so that calls keep their order: a `disconnect()` comes before the `connect()` right after it.
   */
  const methods = lazyMethods(NAMES, loadOpen, (name, run) =>
    isOperation(name) ? recorded(name, run) : orNothing(run),
  )
  return {
    ...methods,
    state$: defer(() => {
      session().catch((error: unknown) =>
        parts.options.logger.warn('The wallet session could not be loaded', { error }),
      )
      return state$
    }),
    get state() {
      return state$.value
    },
  }
}

const OPERATIONS = [
  'connect',
  'sendKaspa',
  'sendMany',
  'request',
  'signMessage',
  'signPskt',
  'signPskb',
  'switchNetwork',
] as const satisfies readonly WalletOperation[]

const NAMES = [...OPERATIONS, 'dismissInterrupted', 'abort', 'disconnect'] as const

const isOperation = (name: (typeof NAMES)[number]): name is (typeof OPERATIONS)[number] =>
  (OPERATIONS as readonly string[]).includes(name)

/** A session that was never loaded has no prompt and no connection; `state$` logs the failure. */
async function orNothing<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    if (isCodeNotLoaded(error) || isDisposed(error)) return undefined
    throw error
  }
}

/** Needed where a payment was interrupted. */
const seenModule = /*#__PURE__*/ lazyModule(() => import('../seen-payments.js'))

/** Loads and starts the session; it ends with the engine. */
async function openSession(core: CoreParts, state$: BehaviorSubject<typeof NO_WALLET>): Promise<WalletSession> {
  const [{ createWalletSession }, wallets] = await Promise.all([
    loadCode(() => import('../../streams/wallet/create-session.js')),
    openWallets(core.options, core.platform),
  ])
  const seenPayments$: SeenPayments = (...payments) =>
    seenModule.module$.pipe(
      switchMap((loaded) => loaded.seenPayments$(core, ...payments)),
      catchError(() => EMPTY), // the code could not be loaded: the payments stay listed
    )
  const session = createWalletSession({ wallets, platform: core.platform, seenPayments$ })
  core.lifetime.add(() => session.dispose())
  session.state$.subscribe((state) => state$.next(state))
  return session
}

function toFailure(operation: WalletOperation, cause: unknown): ChainError {
  if (isCodeNotLoaded(cause)) return isPaying(operation) ? withOwnOutcome(cause, 'unsent') : cause
  return withPaymentOutcome(isDisposed(cause) ? disposed(operation, cause) : asWalletError(operation, cause))
}

const isDisposed = (error: unknown): error is ChainError<'disposed'> =>
  error instanceof ChainError && error.code === 'disposed'

const disposed = (operation: WalletOperation, cause: ChainError): ChainWalletError =>
  cause instanceof ChainWalletError ? cause : new ChainWalletError(operation, cause, { code: 'disposed' })
