import { injectInto, type Injection, type PageWindow } from '../page.js'
import { PROMPTING_METHODS } from './prompting-methods.js'
import type { KaswareEmitter } from './emitter.js'
import type { Call } from './page-script.js'
import { READ_METHODS } from './read-methods.js'

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
