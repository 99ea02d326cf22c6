import { BehaviorSubject, defer } from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { ChainWalletError, asWalletError } from '../../errors/wallet-error.js'
import { NO_WALLET } from '../../streams/wallet/state.js'
import type { WalletOperation } from '../../streams/wallet/state.js'
import type { WalletSession } from '../../streams/wallet/wallet-session.js'
import type { ChainCore } from '../core.js'
import { onceLoaded } from '../../loading/once-loaded.js'
import { openWallets } from '../open-ports.js'

/**
 * The browser wallet in use: one session an engine. Whatever it needs is fetched with the first listener or operation;
 * until then nobody looks for wallets.
 */
export function wallet(core: ChainCore): WalletSession {
  const state$ = new BehaviorSubject(NO_WALLET)
  core.lifetime.add(() => state$.complete())
  const session = onceLoaded(() => openSession(core, state$))

  async function ask<T>(operation: WalletOperation, question: (session: WalletSession) => Promise<T>): Promise<T> {
    try {
      const opened = await session()
      if (core.lifetime.closed) throw disposed(operation)
      return await question(opened)
    } catch (error) {
      throw asWalletError(operation, error)
    }
  }

  return {
    state$: defer(() => {
      session().catch((error: unknown) => core.options.logger.warn('No wallet can be looked for', { error }))
      return state$
    }),
    get state() {
      return state$.value
    },
    connect: (...request) => ask('connect', (opened) => opened.connect(...request)),
    sendKaspa: (...request) => ask('sendKaspa', (opened) => opened.sendKaspa(...request)),
    signMessage: (...request) => ask('signMessage', (opened) => opened.signMessage(...request)),
    signPskt: (...request) => ask('signPskt', (opened) => opened.signPskt(...request)),
    switchNetwork: (...request) => ask('switchNetwork', (opened) => opened.switchNetwork(...request)),
    disconnect: () =>
      session().then(
        (opened) => opened.disconnect(), // in its turn: a connect() right after it is not overtaken
        () => undefined, // nothing could be fetched: there is nothing to let go of
      ),
  }
}

/** Fetches the session and begins it; it ends with the engine. */
async function openSession(core: ChainCore, state$: BehaviorSubject<typeof NO_WALLET>): Promise<WalletSession> {
  const [{ createWalletSession }, wallets] = await Promise.all([
    import('../../streams/wallet/create-session.js'),
    openWallets(core.options, core.platform),
  ])
  const session = createWalletSession({ wallets, platform: core.platform })
  core.lifetime.add(() => session.dispose())
  session.state$.subscribe((state) => state$.next(state))
  return session
}

const disposed = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new ChainError('The engine has been disposed of', { code: 'disposed' }), {
    code: 'cancelled',
  })
