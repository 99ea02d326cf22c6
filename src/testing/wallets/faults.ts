import { never, throwValue } from './extension-calls.js'

/** Faults that a test can plan for later calls. */
export interface WalletFaults {
  /** The next call of `method` rejects with `error`, a value of any type. */
  failNext(method: string, error: unknown): void
  /** The next call of `method` never settles. */
  dropNext(method: string): void
  /** No later call settles, as after the extension was updated or reloaded under the page. */
  dropAll(): void
  /** Delays the next call of `method` until the returned function is called. */
  delayNext(method: string): () => void
}

export interface FaultGate extends WalletFaults {
  /** Applies the next planned fault of `method`: resolves, rejects or never settles. */
  apply(method: string): Promise<void>
}

export function createFaults(): FaultGate {
  let connection: 'open' | 'lost' = 'open'
  const planned = new Map<string, (() => Promise<void>)[]>()
  const plan = (method: string, fault: () => Promise<void>): void => {
    planned.set(method, [...(planned.get(method) ?? []), fault])
  }
  return {
    failNext: (method, error) => plan(method, () => throwValue(error)),
    dropNext: (method) => plan(method, never),
    dropAll: () => {
      connection = 'lost'
    },
    delayNext: (method) => {
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      plan(method, () => released)
      return release
    },
    apply: async (method) => {
      if (connection === 'lost') await never()
      const fault = planned.get(method)?.shift()
      await fault?.()
    },
  }
}
