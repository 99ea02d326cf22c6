import type { CallLog } from '../call-log.js'
import { PROFILES, type KastleProfile } from './profile.js'
import { KastleProvider } from './provider.js'
import type { CallExtension } from './transport.js'

/** The provider of a Kastle version, without its missing methods. Records every call. */
export function createProvider(profile: KastleProfile, call: CallExtension, callLog: CallLog): KastleProvider {
  const { missing, objectRequest } = PROFILES[profile]
  const methods = Object.entries(Object.getOwnPropertyDescriptors(KastleProvider.prototype)).map(
    ([name, { value }]: [string, { value?: unknown }]) => [
      name,
      { value: missing.includes(name) ? undefined : logged(name, value, callLog), writable: true, configurable: true },
    ],
  )
  const prototype = Object.create(Object.prototype, Object.fromEntries(methods) as PropertyDescriptorMap) as object
  return Object.setPrototypeOf(new KastleProvider(call, objectRequest), prototype) as KastleProvider
}

/** The same method, recorded; it still needs its receiver. */
function logged(name: string, method: unknown, callLog: CallLog): unknown {
  if (typeof method !== 'function' || name === 'constructor') return method
  return function (this: unknown, ...args: unknown[]): unknown {
    callLog.record(name, args)
    return Reflect.apply(method, this, args) as unknown
  }
}
