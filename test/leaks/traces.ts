import type { Devnode } from '../../src/devnode/index.js'
import { until } from '../chaos/until.js'

/** How long, in ms, what has been let go may take to be gone. Subscriptions linger for a second. */
const PATIENCE = 10_000

/** Objects that are to be collected once nobody needs them. */
export interface Flock {
  add(animal: object): void
  /** How many are still alive, now that the garbage has been collected. */
  alive(): number
}

/** Node must run with `--expose-gc`. */
export function createFlock(): Flock {
  const flock: WeakRef<object>[] = []
  return {
    add: (animal) => flock.push(new WeakRef(animal)),
    alive: () => {
      globalThis.gc?.()
      return flock.filter((animal) => animal.deref() !== undefined).length
    },
  }
}

/** What keeps this process alive, servers and standard streams aside: timers, sockets, requests under way. */
export const busyWith = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((kind) => /Timeout|Immediate|TCPSocketWrap|Request|GetAddrInfo/.test(kind))

/** Waits until what is left is gone, and tells what is not. */
export async function remains(what: string, left: () => readonly string[]): Promise<readonly string[]> {
  const isNothing = (): boolean => left().length === 0
  return (await until(isNothing, PATIENCE)) ? [] : left().map((trace) => `${what}: ${trace}`)
}

/** What the node still has of its clients. */
export const atNode = (devnode: Devnode): readonly string[] =>
  devnode
    .connections()
    .flatMap(({ id, subscriptions }) => [
      `connection ${id}`,
      ...subscriptions.map(({ type }) => `a subscription to ${type}`),
    ])
