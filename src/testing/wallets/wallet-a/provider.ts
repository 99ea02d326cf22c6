import { injectInto, type Injection, type PageWindow } from '../page.js'
import { PROMPTING_METHODS, READ_METHODS } from './methods.js'
import { type KaswareEmitter, tooManyCalls } from './extension.js'

/** The shape of `window.kasware`: an emitter with own methods that need no receiver. */
export type KaswareProvider = KaswareEmitter &
  Readonly<Record<KaswareMethod, (...params: unknown[]) => Promise<unknown>>>

export type KaswareMethod =
  | 'getVersion'
  | 'getAccounts'
  | 'getPublicKey'
  | 'getNetwork'
  | 'getBalance'
  | 'getUtxoEntries'
  | 'disconnect'
  | 'requestAccounts'
  | 'switchNetwork'
  | 'sendKaspa'
  | 'signMessage'
  | 'signPskt'

/** Pretends to delete properties, like the only trap of the real provider. */
const PROXY_HANDLER: ProxyHandler<KaswareProvider> = { deleteProperty: () => true }

export function createProvider(emitter: KaswareEmitter, call: Call): KaswareProvider {
  const names = Object.keys({ ...READ_METHODS, ...PROMPTING_METHODS } satisfies Record<KaswareMethod, unknown>)
  const methods = names.map((name) => [name, (...params: unknown[]) => call(name, params)])
  return new Proxy(
    Object.assign(emitter, Object.fromEntries(methods) as Omit<KaswareProvider, keyof KaswareEmitter>),
    PROXY_HANDLER,
  )
}

/** Injects the provider as a constant property, then dispatches `kasware#initialized` once. */
export function installProvider(page: PageWindow, provider: KaswareProvider, injection: Injection): void {
  injectInto(page, injection, () => {
    Object.defineProperty(page, 'kasware', { value: provider, writable: false, configurable: false, enumerable: true })
    page.dispatchEvent(new Event('kasware#initialized'))
  })
}

/** Sends a call to the extension. Calls of one `tick` were made in the same task. */
type Deliver = (method: string, params: readonly unknown[], tick: number) => Promise<unknown>

export type Call = (method: string, params: readonly unknown[]) => Promise<unknown>

const LIMIT = 500

/**
 * KasWare's page script: serialises arguments as JSON, queues calls while the page is hidden, and limits pending calls
 * to 500. A call that never settles stays pending.
 */
export function createPageScript({ document }: PageWindow, deliver: Deliver): Call {
  let pending = 0
  let tick = 0
  const queue: (() => void)[] = []
  const flush = (): void => {
    // JSON.stringify throws here for a bigint: after the page is shown again the error reaches no caller and ends the
    // flush
    while (document.visibilityState === 'visible' && queue.length > 0) queue.shift()?.()
  }
  document.addEventListener('visibilitychange', flush)

  return async (method, params) => {
    if (pending >= LIMIT) throw tooManyCalls()
    pending++
    const callTick = tick
    queueMicrotask(() => (tick = callTick + 1))
    try {
      return await new Promise((resolve, reject) => {
        queue.push(() => {
          deliver(method, JSON.parse(JSON.stringify(params)) as unknown[], callTick).then(resolve, reject)
        })
        flush()
      })
    } finally {
      pending--
    }
  }
}
