import { NEVER, type Observable, type SchedulerLike } from 'rxjs'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { DEFAULT_RETRIES } from '../../src/streams/connection/policy.js'
import type { Target } from '../../src/streams/connection/target.js'
import { establish$ } from '../../src/streams/session/establish.js'
import { createNodeLink, type NodeLink, type NodeLinkDeps } from '../../src/streams/session/node-link.js'
import { createTestPlatform, type TestPlatform } from '../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../src/testing/scripted-node.js'

export const simnet: Target = {
  network: 'simnet',
  encoding: 'Borsh',
  urls: ['ws://127.0.0.1:17510'],
  resolver: 'leave',
}

export interface TestLink {
  readonly link: NodeLink
  readonly node: ScriptedNode
  readonly platform: TestPlatform
  /** Asks for a connection, and waits for nothing. */
  readonly connect: () => void
}

/**
 * A link in virtual time to a scripted node. Retries come 5 ms after a loss, frames every 2 ms; nothing beats. It lives for
 * `life` ms: a link asks after its node's health, so virtual time would never end.
 */
export function createTestLink(scheduler: SchedulerLike, deps: Partial<NodeLinkDeps> = {}, life = 30_000): TestLink {
  const platform = createTestPlatform({ scheduler, frame: 2, random: () => 0.02 })
  const node = createScriptedNode({ scheduler })
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
    onWanted: () => undefined,
    ...deps,
  })
  scheduler.schedule(() => link.dispose(), life)
  return {
    link,
    node,
    platform,
    connect: () => void link.keeper.connect(simnet).catch((error: unknown) => error), // its state tells
  }
}

/** Has a deed done at each letter of a script, while something is watched. */
export function run(script$: Observable<string>, deeds: Readonly<Record<string, () => unknown>>): void {
  script$.subscribe((letter) => void deeds[letter]?.())
}
