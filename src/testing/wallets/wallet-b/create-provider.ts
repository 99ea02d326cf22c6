import type { Journal } from '../journal.js'
import { PROFILES, type KastleProfile } from './profile.js'
import { KastleProvider } from './provider.js'
import type { AskExtension } from './transport.js'

/** The provider of a version of Kastle, without what that version lacks; every call to it is written down. */
export function createProvider(profile: KastleProfile, ask: AskExtension, journal: Journal): KastleProvider {
  const { missing, objectRequest } = PROFILES[profile]
  const methods = Object.entries(Object.getOwnPropertyDescriptors(KastleProvider.prototype)).map(
    ([name, { value }]: [string, { value?: unknown }]) => [
      name,
      { value: missing.includes(name) ? undefined : noted(name, value, journal), writable: true, configurable: true },
    ],
  )
  const prototype = Object.create(Object.prototype, Object.fromEntries(methods) as PropertyDescriptorMap) as object
  return Object.setPrototypeOf(new KastleProvider(ask, objectRequest), prototype) as KastleProvider
}

/** The same method, still in need of its receiver, but written down. */
function noted(name: string, method: unknown, journal: Journal): unknown {
  if (typeof method !== 'function' || name === 'constructor') return method
  return function (this: unknown, ...args: unknown[]): unknown {
    journal.note(name, args)
    return Reflect.apply(method, this, args) as unknown
  }
}
