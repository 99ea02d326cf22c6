import { NEVER, type Observable, type SchedulerLike } from 'rxjs'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { DEFAULT_RETRIES } from '../../src/streams/connection/policy.js'
import type { Target } from '../../src/streams/connection/endpoints.js'
import { establish$ } from '../../src/streams/session/establish.js'
import { createNodeLink, type NodeLink, type NodeLinkDeps } from '../../src/streams/session/node-link.js'
import { createTestPlatform, type TestPlatform } from '../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../src/testing/scripted-node.js'

export const simnet: Target = {
  network: 'simnet',
  encoding: 'Borsh',
  urls: ['ws://127.0.0.1:17510'],
  resolver: 'skip',
}

export interface TestLink {
  readonly link: NodeLink
  readonly node: ScriptedNode
  readonly platform: TestPlatform
  /** Starts connecting, without waiting. */
  readonly connect: () => void
}

/**
 * A link in virtual time to a scripted node. It reconnects after 5 ms, with frames every 2 ms and no heartbeat.
 * Disposed after `lifetime` ms: its health checks repeat, so virtual time would never end.
 */
export function createTestLink(
  scheduler: SchedulerLike,
  deps: Partial<NodeLinkDeps> = {},
  lifetime = 30_000,
): TestLink {
  const platform = createTestPlatform({ scheduler, frame: 2, random: () => 0.02 })
  const node = createScriptedNode({ scheduler, validate: false })
  const link = createNodeLink({
    node,
    platform,
    target: simnet,
    policy: { ...DEFAULT_RETRIES, baseDelay: 5, jitter: 0 },
    heartbeat: null,
    connectTimeout: 1_000,
    requestTimeout: 1_000,
    resolve: () => NEVER,
    establish: establish$,
    toNotConnected: (method) => new ChainRpcError(method, undefined, { code: 'not-connected' }),
    onAcquire: () => undefined,
    onInvalidEntries: () => undefined,
    ...deps,
  })
  scheduler.schedule(() => link.dispose(), lifetime)
  return {
    link,
    node,
    platform,
    connect: () => void link.connector.connect(simnet).catch((error: unknown) => error), // reported by its state
  }
}

/** Runs an action for each letter of a marble diagram. */
export function run(script$: Observable<string>, actions: Readonly<Record<string, () => unknown>>): void {
  script$.subscribe((letter) => void actions[letter]?.())
}
