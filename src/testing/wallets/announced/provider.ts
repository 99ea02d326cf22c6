import type { FaultGate } from '../faults.js'
import type { Journal } from '../journal.js'
import { pause, toJsonCopy } from '../pause.js'
import { unsupported } from './errors.js'
import type { Announced } from './extension.js'
import type { Listener, Listeners } from './listeners.js'
import { METHODS } from './methods.js'

/** What a page gets with an announcement: one way in, and events. */
export interface AnnouncedProvider {
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>
  on(event: string, listener: Listener): AnnouncedProvider
  removeListener(event: string, listener: Listener): AnnouncedProvider
}

export interface AnnouncedProviderDeps {
  readonly wallet: Announced
  readonly journal: Journal
  readonly faults: FaultGate
  readonly listeners: Listeners
  /** Ms that each answer takes. */
  readonly latency: number
}

export function createProvider(deps: AnnouncedProviderDeps): AnnouncedProvider {
  const { wallet, journal, faults, listeners, latency } = deps
  const provider: AnnouncedProvider = {
    request: async ({ method, params = {} }) => {
      journal.note(method, [params])
      const sent = JSON.stringify(params) // a bigint ends here
      await pause(latency)
      await faults.pass(method)
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

/** Parameters by name, or by position under `0`, `1`, … where they came as a list; a list of one record is that record. */
function toRecord(params: unknown): Readonly<Record<string, unknown>> {
  const byKey = Object.fromEntries(Object.entries(params ?? {}))
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  return typeof first === 'object' ? { ...byKey, ...first } : byKey
}
