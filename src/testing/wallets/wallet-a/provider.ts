import { ASKS } from './asks.js'
import type { KaswareEmitter } from './emitter.js'
import type { Call } from './page-script.js'
import { READS } from './reads.js'

/** What `window.kasware` looks like from a page: an emitter, and methods of its own that need no receiver. */
export type KaswareProvider = KaswareEmitter &
  Readonly<Record<KaswareMethod, (...params: unknown[]) => Promise<unknown>>>

export type KaswareMethod = keyof typeof READS | keyof typeof ASKS

/** Only ever deletes in appearance, as the real one's only trap has it. */
const BEARING: ProxyHandler<KaswareProvider> = { deleteProperty: () => true }

export function createProvider(emitter: KaswareEmitter, call: Call): KaswareProvider {
  const names = [...Object.keys(READS), ...Object.keys(ASKS)]
  const methods = names.map((name) => [name, (...params: unknown[]) => call(name, params)])
  return new Proxy(
    Object.assign(emitter, Object.fromEntries(methods) as Omit<KaswareProvider, keyof KaswareEmitter>),
    BEARING,
  )
}
