import { never } from './pause.js'
import { refuse } from './refuse.js'

/** What a test can make happen to a call that is yet to come. */
export interface WalletFaults {
  /** The next call of `method` is refused with `error`, whatever kind of value that is. */
  failNext(method: string, error: unknown): void
  /** The next call of `method` is never answered. */
  loseNext(method: string): void
  /** The next call of `method` is answered once the returned function has been called. */
  holdNext(method: string): () => void
}

export interface FaultGate extends WalletFaults {
  /** What a call waits for before it is looked at; rejects where it is to fail. */
  pass(method: string): Promise<void>
}

export function createFaults(): FaultGate {
  const waiting = new Map<string, (() => Promise<void>)[]>()
  const plan = (method: string, fate: () => Promise<void>): void => {
    waiting.set(method, [...(waiting.get(method) ?? []), fate])
  }
  return {
    failNext: (method, error) => plan(method, () => refuse(error)),
    loseNext: (method) => plan(method, never),
    holdNext: (method) => {
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      plan(method, () => held)
      return release
    },
    pass: async (method) => {
      const fate = waiting.get(method)?.shift()
      await fate?.()
    },
  }
}
