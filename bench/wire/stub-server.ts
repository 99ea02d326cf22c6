import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { methods } from '../../src/node/messages/lookup.js'
import type { NodeNotification, RpcMethod, RpcResponse } from '../../src/node/messages/records.js'
import type { WireCodec } from '../../src/wrpc/codec.js'
import type { StubBlock } from './served-chain.js'

/** Messages of a stub server. */
export interface StubMessages {
  readonly responses: { readonly [M in RpcMethod]?: RpcResponse<M> }
  readonly notifications?: readonly NodeNotification[]
  /** A chain that grows by one block with each notification of one. Borsh only. */
  readonly chain?: readonly StubBlock[]
}

export interface StubServer {
  readonly url: string
  /** Sends a prepared notification, by default the first, to the n-th client. */
  readonly notify: (n: number, which?: number) => void
  /** Sends all notifications cyclically to all clients, one every `interval` ms, until `close()`. */
  readonly stream: (interval: number) => void
  /** Likewise the first one, with the time (Unix µs) in its last eight bytes: a score is there. */
  readonly stamp: (interval: number) => void
  /** What the clients have used until now. Borsh. */
  readonly usage: () => Promise<StubUsage>
  readonly close: () => void
}

export interface StubUsage {
  /** That are open. */
  readonly clients: number
  /** Of responses. */
  readonly bytes: number
  readonly requests: (method: RpcMethod) => number
}

/** Starts a server in its own process that sends the messages in the encoding of `codec`. */
export async function startStubServer(
  codec: WireCodec,
  { responses, notifications = [], chain }: StubMessages,
): Promise<StubServer> {
  const child = fork(resolve('bench/wire/stub-server.mjs'), { serialization: 'advanced', execArgv: [] })
  const frames = Object.keys(responses).map((name) => {
    const method = name as RpcMethod
    const frame = codec.encodeResponse(0n, method, responses[method] as never)
    return [codec.encoding === 'Borsh' ? methods[method].op : method, frame] as const
  })
  child.send({
    prepare: {
      responses: Object.fromEntries(frames),
      notifications: notifications.map((one) => codec.encodeNotification(one)),
      chain,
    },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `ws://127.0.0.1:${String(port)}`,
    notify: (n, which = 0) => child.send({ notify: n, which }),
    stream: (interval) => child.send({ stream: interval }),
    stamp: (interval) => child.send({ stamp: interval }),
    async usage() {
      child.send({ usage: true })
      const [{ usage }] = (await once(child, 'message')) as [
        { usage: Omit<StubUsage, 'requests'> & { requests: number[] } },
      ]
      return { ...usage, requests: (method) => usage.requests[methods[method].op] ?? 0 }
    },
    close: () => child.kill(),
  }
}
