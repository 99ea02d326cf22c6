import { connect } from 'node:net'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { createParts } from '../../src/engine/core.js'
import { subscribeToAll } from './subscribe-to-all.js'
import type { Environment } from './resources.js'

/** Removes a planted leak, so that the process can exit. */
export type RemoveLeak = () => unknown

/** A planted leak of each kind, to test the detection. */
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
    const core = createParts({ network: 'simnet', url: devnode.urls.borsh })
    subscribeToAll(core, [])
    await core.connection.connect()
    return () => core.dispose()
  },
  listener: () => {
    const handler = (): void => undefined
    addEventListener('online', handler)
    return () => removeEventListener('online', handler)
  },
  wasm: async ({ sdk }) => {
    await createParts({ network: 'simnet', sdk: () => sdk.load() }).wasm.init()
    const { PrivateKey } = (await sdk.load()) as { PrivateKey: new (hex: string) => { free(): void } }
    const key = new PrivateKey('01'.repeat(32))
    return () => key.free()
  },
  process: () => {
    createServer().listen(0, '127.0.0.1') // detected only because the process does not exit
    return () => undefined
  },
} as const satisfies Record<string, (environment: Environment) => RemoveLeak | Promise<RemoveLeak>>

export type PlantName = keyof typeof PLANTS
