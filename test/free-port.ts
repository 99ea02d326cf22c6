import { createServer } from 'node:net'
import { listen } from './listen.js'

/** Below the ports that systems assign: no connection or server of another test takes one between two starts. */
const [FIRST, COUNT] = [20_000, 10_000]
/** Processes begin at different ports. */
let next = Math.floor(Math.random() * COUNT)

/** A port on which nothing listens, each call another one. */
export async function freePort(): Promise<number> {
  const port = FIRST + (next++ % COUNT)
  const taken = await listen(createServer(), port).catch(() => undefined) // in use
  if (taken === undefined) return freePort()
  await taken.close()
  return port
}
