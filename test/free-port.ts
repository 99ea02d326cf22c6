import { createServer } from 'node:net'
import { listen } from './listen.js'

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer())
  await close()
  return port
}
