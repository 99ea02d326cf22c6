import type { createDevnode as CreateDevnode, Devnode } from '../src/devnode/index.js'

export interface DemoOptions {
  /** @default '127.0.0.1' */
  readonly host?: string
  /** The page's port; 0: a free one. @default 0 */
  readonly port?: number
  /** Rejects where the port is in use, in place of using another. @default false */
  readonly strictPort?: boolean
  /** The network's seed. */
  readonly seed?: number
  /** Ms from one step of the network to the next; 0: on request only. @default 1000 */
  readonly blockInterval?: number
  /** Ms of history. @default a day */
  readonly past?: number
}

export interface Demo {
  readonly devnode: Devnode
  /** Of the page. */
  readonly url: string
  readonly stop: () => Promise<unknown>
}

/** The demo in this process: its network, a `createDevnode` of the sources or of the build, and the built page. */
export function startDemo(createDevnode: typeof CreateDevnode, options?: DemoOptions): Promise<Demo>
