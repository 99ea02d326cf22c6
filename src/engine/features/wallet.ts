import { BehaviorSubject, EMPTY, catchError, defer, switchMap } from 'rxjs'
import { isCodeNotLoaded } from '../../errors/code-not-loaded.js'
import { engineDisposed } from '../../errors/engine-disposed.js'
import { ChainWalletError, asWalletError, type ChainWalletErrorCode } from '../../errors/wallet-error.js'
import { withPaymentOutcome } from '../../errors/wallet-refusal.js'
import { NO_WALLET } from '../../streams/wallet/state.js'
import type { WalletOperation } from '../../streams/wallet/state.js'
import type { WalletSession } from '../../streams/wallet/wallet-session.js'
import type { ChainCore } from '../chain-core.js'
import { partsOf, type CoreParts } from '../core-parts.js'
import type { SeenPayments } from '../../streams/wallet/create-session.js'
import { lazyModule } from '../../loading/lazy-module.js'
import { loadCode } from '../../loading/load-code.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import { openWallets } from '../open-ports.js'

/**
 * The browser wallet in use, one session per engine. Its code is loaded, and wallets are detected, with the first subscriber
 * or operation.
 */
export function wallet(core: ChainCore): WalletSession {
  const parts = partsOf(core)
  const state$ = new BehaviorSubject(NO_WALLET)
  parts.lifetime.add(() => state$.complete())
  const session = onceLoaded(() => openSession(parts, state$))

  async function run<T>(operation: WalletOperation, action: (session: WalletSession) => Promise<T>): Promise<T> {
    const startedAt = parts.platform.now()
    const end = (outcome: 'ok' | ChainWalletErrorCode): void => {
      const at = parts.platform.now()
      parts.probe?.record({ at, type: 'wallet', operation, ms: at - startedAt, outcome })
    }
    try {
      const opened = await session()
      if (parts.lifetime.closed) throw disposed(operation)
      const result = await action(opened)
      end('ok')
      return result
    } catch (cause) {
      const error = isCodeNotLoaded(cause) ? cause : withPaymentOutcome(asWalletError(operation, cause))
      end(error.code === 'code-not-loaded' ? 'failed' : error.code)
      throw error
    }
  }

  return {
    state$: defer(() => {
      session().catch((error: unknown) =>
        parts.options.logger.warn('The wallet session could not be loaded', { error }),
      )
      return state$
    }),
    get state() {
      return state$.value
    },
    connect: (...request) => run('connect', (opened) => opened.connect(...request)),
    sendKaspa: (...request) => run('sendKaspa', (opened) => opened.sendKaspa(...request)),
    sendMany: (...request) => run('sendMany', (opened) => opened.sendMany(...request)),
    request: (...request) => run('request', (opened) => opened.request(...request)),
    signMessage: (...request) => run('signMessage', (opened) => opened.signMessage(...request)),
    signPskt: (...request) => run('signPskt', (opened) => opened.signPskt(...request)),
    switchNetwork: (...request) => run('switchNetwork', (opened) => opened.switchNetwork(...request)),
    dismissInterrupted: (id) => void session().then((opened) => opened.dismissInterrupted(id), ignoreFailedLoad),
    abort: () => void session().then((opened) => opened.abort(), ignoreFailedLoad),
    disconnect: () =>
      session().then(
        (opened) => opened.disconnect(), // in call order with a connect() right after it
        () => undefined, // the session was never loaded
      ),
  }
}

/** Needed where a payment was interrupted. */
const seenModule = /*#__PURE__*/ lazyModule(() => import('../seen-payments.js'))

/** A session that was never loaded has no prompt; `state$` logs the failure. */
const ignoreFailedLoad = (): void => undefined

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

const disposed = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, engineDisposed(), { code: 'disposed' })
