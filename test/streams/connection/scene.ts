import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { NEVER, Observable, concat, map, merge, of, type SchedulerLike } from 'rxjs'
import {
  createConnection,
  type ConnectionDeps,
  type ConnectionKeeper,
} from '../../../src/streams/connection/connection.js'
import type { Connection } from '../../../src/streams/connection/phases.js'
import { DEFAULT_RETRIES } from '../../../src/streams/connection/policy.js'
import type { Target } from '../../../src/streams/connection/target.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../../src/testing/scripted-node.js'

export const A = 'wss://a.example'
export const B = 'wss://b.example'
export const target: Target = { network: 'simnet', encoding: 'Borsh', urls: [A], resolver: 'leave' }

export interface Scene {
  readonly platform: TestPlatform
  readonly node: ScriptedNode
  readonly connection: ConnectionKeeper<string>
  /** The connection's states, a letter each. */
  readonly letters$: Observable<string>
}

/** A connection in virtual time to a scripted node. Its handshake is done at once; its dice fall on 0.02. */
export function createScene(scheduler: SchedulerLike, deps: Partial<ConnectionDeps<string>> = {}): Scene {
  const platform = createTestPlatform({ scheduler, random: () => 0.02 })
  const node = createScriptedNode()
  const connection = createConnection<string>({
    platform,
    node,
    target,
    policy: { ...DEFAULT_RETRIES, maxRetries: 3, baseDelay: 4, maxDelay: 60, jitter: 0 },
    connectTimeout: 20,
    resolve: () => NEVER,
    establish: () => concat(of('session'), NEVER),
    ...deps,
  })
  return { platform, node, connection, letters$: connection.state$.pipe(map(toLetter)) }
}

/** d(isconnected), c(onnecting for the first time), the number of a retry under way, w(aiting for one), o(pen), e(rror). */
function toLetter(state: Connection<string>): string {
  if ('step' in state) return state.step === 'waiting' ? 'w' : state.attempt === 0 ? 'c' : String(state.attempt)
  return state.status === 'connected' ? 'o' : state.status === 'error' ? 'e' : 'd'
}

/** What is watched, while `script$` has its deeds done: one for each letter. */
export const during = <T>(watched$: Observable<T>, script$: Observable<string>, deeds: Record<string, () => unknown>) =>
  merge(
    watched$,
    new Observable<T>((subscriber) => {
      subscriber.add(script$.subscribe((letter) => void deeds[letter]?.()))
    }),
  )

/** What becomes of a promise, in a word: it settles between two frames of virtual time. */
export function fate(promise: Promise<unknown>): { said: string } {
  const told = { said: 'pending' }
  promise.then(
    () => (told.said = 'resolved'),
    (error: unknown) => (told.said = error instanceof ChainRpcError ? error.code : 'rejected'),
  )
  return told
}

/** Lets promises settle. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
