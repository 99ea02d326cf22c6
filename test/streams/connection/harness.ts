import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { NEVER, Observable, concat, map, merge, of, type SchedulerLike } from 'rxjs'
import { createConnection, type ConnectionDeps, type Connector } from '../../../src/streams/connection/connection.js'
import type { Connection } from '../../../src/streams/connection/state.js'
import { DEFAULT_RETRIES } from '../../../src/streams/connection/policy.js'
import type { Target } from '../../../src/streams/connection/endpoints.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../../src/testing/scripted-node.js'

export const A = 'wss://a.example'
export const B = 'wss://b.example'
export const target: Target = { network: 'simnet', encoding: 'Borsh', urls: [A], resolver: 'skip' }

export interface Harness {
  readonly platform: TestPlatform
  readonly node: ScriptedNode
  readonly connection: Connector<string>
  /** The connection's states as letters. */
  readonly letters$: Observable<string>
}

/** A connection to a scripted node in virtual time. The handshake is immediate; `random` returns 0.02. */
export function createHarness(scheduler: SchedulerLike, deps: Partial<ConnectionDeps<string>> = {}): Harness {
  const platform = createTestPlatform({ scheduler, random: () => 0.02 })
  const node = createScriptedNode({ validate: false })
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

/**
 * d(isconnected), c(onnecting for the first time), number of a retry in progress, w(aiting for one), o(pen), e(rror).
 */
function toLetter(state: Connection<string>): string {
  if ('step' in state) return state.step === 'waiting' ? 'w' : state.attempt === 0 ? 'c' : String(state.attempt)
  return state.status === 'connected' ? 'o' : state.status === 'error' ? 'e' : 'd'
}

/** Emits `watched$` while `script$` runs one action per letter. */
export const during = <T>(
  watched$: Observable<T>,
  script$: Observable<string>,
  actions: Record<string, () => unknown>,
) =>
  merge(
    watched$,
    new Observable<T>((subscriber) => {
      subscriber.add(script$.subscribe((letter) => void actions[letter]?.()))
    }),
  )

/** The outcome of a promise, which settles between two frames of virtual time. */
export function track(promise: Promise<unknown>): { outcome: string } {
  const result = { outcome: 'pending' }
  promise.then(
    () => (result.outcome = 'resolved'),
    (error: unknown) => (result.outcome = error instanceof ChainRpcError ? error.code : 'rejected'),
  )
  return result
}

/** Lets promises settle. */
export const settle = async (): Promise<void> => {
  for (let round = 0; round < 20; round++) await Promise.resolve()
}
