import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { verifyWebhook } from '../../../../src/feed/webhook/webhook.js'
import { listen } from '../../../listen.js'

/** A receiver of webhooks, which checks each one. */
export interface Receiver {
  readonly url: string
  readonly secret: string
  /** What it has taken, in order. */
  readonly accepted: readonly Accepted[]
  /** How many it has not taken. */
  readonly failed: number
  /** Ids that were delivered with two bodies. */
  readonly differing: readonly string[]
  close(): Promise<void>
}

interface Accepted {
  /** The header `webhook-id`. */
  readonly key: string
  readonly id: string
  readonly version: number
  readonly type: string
}

/** `fails` decides by the count of requests so far: a status, or true for one of 503. */
export async function openReceiver(fails: (count: number) => boolean | number): Promise<Receiver> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const accepted: Accepted[] = []
  const bodies = new Map<string, string>()
  const differing: string[] = []
  let [count, failed] = [0, 0]
  const server = createServer((request, response) => {
    const receive = async (): Promise<number> => {
      const body = Buffer.concat((await request.toArray()) as Buffer[])
      const { id, version, type } = await verifyWebhook(request.headers, body, secret)
      const key = String(request.headers['webhook-id'])
      if ((bodies.get(key) ?? body.toString()) !== body.toString()) differing.push(key)
      bodies.set(key, body.toString())
      const failure = fails(count++)
      if (failure === false) accepted.push({ key, id, version, type })
      else failed++
      return failure === false ? 204 : failure === true ? 503 : failure
    }
    receive().then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end(),
    )
  })
  const { url, close } = await listen(server)
  return {
    url: `${url}/hook`,
    secret,
    accepted,
    get failed() {
      return failed
    },
    differing,
    close,
  }
}
