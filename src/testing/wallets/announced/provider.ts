import type { FaultGate } from '../faults.js'
import type { CallLog } from '../call-log.js'
import { pause, toJsonCopy } from '../extension-calls.js'
import { unsupported } from './errors.js'
import type { Announced } from './extension.js'
import { METHODS } from './methods.js'

/** The provider in an announcement: one request method, and events. */
export interface AnnouncedProvider {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on(event: string, listener: (payload: never) => void): AnnouncedProvider
  removeListener(event: string, listener: (payload: never) => void): AnnouncedProvider
}

interface AnnouncedProviderDeps {
  readonly wallet: Announced
  readonly callLog: CallLog
  readonly faults: FaultGate
  readonly listeners: Emitter
  /** Ms per call. */
  readonly latency: number
}

export function createProvider(deps: AnnouncedProviderDeps): AnnouncedProvider {
  const { wallet, callLog, faults, listeners, latency } = deps
  const provider: AnnouncedProvider = {
    request: async ({ method, params = {} }) => {
      callLog.record(method, [params])
      const sent = JSON.stringify(params) // throws for a bigint
      await pause(latency)
      await faults.apply(method)
      const handle = METHODS[method]
      if (handle === undefined) throw unsupported(method)
      return toJsonCopy(await handle(wallet, toRecord(JSON.parse(sent))))
    },
    on: (event, listener) => {
      listeners.add(event, listener)
      return provider
    },
    removeListener: (event, listener) => {
      listeners.remove(event, listener)
      return provider
    },
  }
  return provider
}

/** Parameters by name, or by index (`0`, `1`, …) for a list; a list of one record is that record. */
function toRecord(params: unknown): Readonly<Record<string, unknown>> {
  const byKey = Object.fromEntries(Object.entries(params ?? {}))
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  return typeof first === 'object' ? { ...byKey, ...first } : byKey
}

type Listener = (payload: never) => void

/** The event listeners of a provider. */
export interface Emitter {
  add(event: string, listener: Listener): void
  remove(event: string, listener: Listener): void
  readonly emit: (event: string, payload: unknown) => void
  count(): number
}

export function createEmitter(): Emitter {
  const byEvent = new Map<string, Set<Listener>>()
  return {
    add: (event, listener) => {
      byEvent.set(event, (byEvent.get(event) ?? new Set()).add(listener))
    },
    remove: (event, listener) => void byEvent.get(event)?.delete(listener),
    emit: (event, payload) => byEvent.get(event)?.forEach((listener) => listener(payload as never)),
    count: () => [...byEvent.values()].reduce((sum, { size }) => sum + size, 0),
  }
}
