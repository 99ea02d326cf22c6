import type { Devnode } from '../../src/devnode/index.js'
import type { CountedSdk } from '../sdk/counted-sdk.js'
import { until } from '../chaos/until.js'
import type { Page } from './page.js'

/** Environment of a run, inspected for leaked resources. */
export interface Environment {
  readonly devnode: Devnode
  /** The SDK of all engines; its objects are counted. */
  readonly sdk: CountedSdk
  /** The simulated page; its listeners are counted. */
  readonly page: Page
  /**
   * Time limit for the removal of released resources, ms. Subscriptions are kept for a second after the last
   * subscriber.
   */
  readonly timeout: number
}

/** Tracks whether objects are garbage-collected. */
export interface ObjectTracker {
  add(object: object): void
  /** Runs the garbage collector; describes the objects still in memory. */
  alive(): readonly string[]
}

/** Node must run with `--expose-gc`. */
export function createObjectTracker(kind: string): ObjectTracker {
  const references: WeakRef<object>[] = []
  return {
    add: (object) => references.push(new WeakRef(object)),
    alive: () => {
      globalThis.gc?.()
      const count = references.filter((object) => object.deref() !== undefined).length
      return count === 0 ? [] : [`${count} ${kind} in memory`]
    },
  }
}

/** Handles that keep this process alive, except servers and standard streams: timers, sockets, pending requests. */
export const activeHandles = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((kind) => /Timeout|Immediate|TCPSocketWrap|Request|GetAddrInfo/.test(kind))

/** Waits until no resource remains; resolves to those remaining after the timeout. */
export async function leakedAfter(
  label: string,
  remaining: () => readonly string[],
  { timeout }: Pick<Environment, 'timeout'>,
): Promise<readonly string[]> {
  const isEmpty = (): boolean => remaining().length === 0
  return (await until(isEmpty, timeout)) ? [] : remaining().map((resource) => `${label}: ${resource}`)
}

/** Connections, subscriptions and unidentified sockets at the node. */
export function resourcesAtNode({ devnode }: Pick<Environment, 'devnode'>): readonly string[] {
  const connections = devnode.connections()
  const unidentified = Math.max(0, devnode.sockets() - connections.length)
  return [
    ...connections.flatMap(({ id, subscriptions }) => [
      `connection ${id}`,
      ...subscriptions.map(({ type }) => `a subscription to ${type}`),
    ]),
    ...Array.from({ length: unidentified }, () => 'a socket without a client'),
  ]
}

/** DOM listeners and WASM objects in this process. */
export const resourcesInProcess = ({ sdk, page }: Pick<Environment, 'sdk' | 'page'>): readonly string[] => [
  ...page.listeners(),
  ...(sdk.live() === 0 ? [] : [`${sdk.live()} objects in WASM`]),
]
