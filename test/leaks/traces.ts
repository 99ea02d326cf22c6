import type { Devnode } from '../../src/devnode/index.js'
import type { CountedSdk } from '../sdk/counted.js'
import { until } from '../chaos/until.js'
import type { Page } from './page.js'

/** Where things are used up, and where their traces are looked for. */
export interface World {
  readonly devnode: Devnode
  /** The SDK of all engines; its objects are counted. */
  readonly sdk: CountedSdk
  /** The page they live in; listeners on it are counted. */
  readonly page: Page
  /** How long, in ms, what has been let go may take to be gone. Subscriptions linger for a second. */
  readonly patience: number
}

/** Objects that are to be collected once nobody needs them. */
export interface Flock {
  add(animal: object): void
  /** Those that are still alive, now that the garbage has been collected, in words. */
  alive(): readonly string[]
}

/** Node must run with `--expose-gc`. */
export function createFlock(kind: string): Flock {
  const flock: WeakRef<object>[] = []
  return {
    add: (animal) => flock.push(new WeakRef(animal)),
    alive: () => {
      globalThis.gc?.()
      const count = flock.filter((animal) => animal.deref() !== undefined).length
      return count === 0 ? [] : [`${count} ${kind} in memory`]
    },
  }
}

/** What keeps this process alive, servers and standard streams aside: timers, sockets, requests under way. */
export const busyWith = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((kind) => /Timeout|Immediate|TCPSocketWrap|Request|GetAddrInfo/.test(kind))

/** Waits until what is left is gone, and tells what is not. */
export async function remains(
  what: string,
  left: () => readonly string[],
  { patience }: Pick<World, 'patience'>,
): Promise<readonly string[]> {
  const isNothing = (): boolean => left().length === 0
  return (await until(isNothing, patience)) ? [] : left().map((trace) => `${what}: ${trace}`)
}

/** What the node still has of its clients: sockets, and what is subscribed to on them. */
export function atNode({ devnode }: Pick<World, 'devnode'>): readonly string[] {
  const connections = devnode.connections()
  const strangers = Math.max(0, devnode.sockets() - connections.length)
  return [
    ...connections.flatMap(({ id, subscriptions }) => [
      `connection ${id}`,
      ...subscriptions.map(({ type }) => `a subscription to ${type}`),
    ]),
    ...Array.from({ length: strangers }, () => 'a socket without a client'),
  ]
}

/** What is left in this process of those who used the SDK and the page. */
export const inProcess = ({ sdk, page }: Pick<World, 'sdk' | 'page'>): readonly string[] => [
  ...page.listeners(),
  ...(sdk.live() === 0 ? [] : [`${sdk.live()} objects in WASM`]),
]
