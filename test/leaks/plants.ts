import { connect } from 'node:net'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { createCore } from '../../src/engine/core.js'
import { listenToAll } from './listen.js'
import type { World } from './traces.js'

/** Takes back what was planted, so that the process may end all the same. */
export type Uproot = () => unknown

/** Leaks of each kind, planted to see that they are found: what stays is what a sloppy library would leave. */
export const PLANTS = {
  timer: () => {
    const timer = setInterval(() => undefined, 60_000)
    return () => clearInterval(timer)
  },
  socket: async ({ devnode }) => {
    const socket = connect(Number(new URL(devnode.urls.borsh).port), '127.0.0.1')
    await once(socket, 'connect')
    return () => socket.destroy()
  },
  subscription: async ({ devnode }) => {
    const core = createCore({ network: 'simnet', url: devnode.urls.borsh })
    listenToAll(core, [])
    await core.connection.connect()
    return () => core.dispose()
  },
  listener: () => {
    const hear = (): void => undefined
    addEventListener('online', hear)
    return () => removeEventListener('online', hear)
  },
  wasm: async ({ sdk }) => {
    await createCore({ network: 'simnet', sdk: () => sdk.load() }).wasm.init()
    const { PrivateKey } = (await sdk.load()) as { PrivateKey: new (hex: string) => { free(): void } }
    const key = new PrivateKey('01'.repeat(32))
    return () => key.free()
  },
  process: () => {
    createServer().listen(0, '127.0.0.1') // a server is nobody's to look for: that the process does not end tells of it
    return () => undefined
  },
} as const satisfies Record<string, (world: World) => Uproot | Promise<Uproot>>

export type PlantName = keyof typeof PLANTS
