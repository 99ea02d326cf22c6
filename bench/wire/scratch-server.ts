import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { methods } from '../../src/node/messages/methods.js'
import type { NodeNotification, RpcMethod, RpcResponse } from '../../src/node/messages/records.js'
import type { WireCodec } from '../../src/wrpc/codec.js'

/** What a scratch server says. */
export interface Prepared {
  readonly answers: { readonly [M in RpcMethod]?: RpcResponse<M> }
  readonly notifications?: readonly NodeNotification[]
}

export interface ScratchServer {
  readonly url: string
  /** Sends a prepared notification, the first unless another is named, to the n-th that connected. */
  readonly notify: (n: number, which?: number) => void
  /** Sends all of them in turn to everybody, one every `interval` ms, until it is closed. */
  readonly stream: (interval: number) => void
  readonly close: () => void
}

/** Starts a server, in a process of its own, that sends what `prepared` is in the encoding of `codec`. */
export async function startScratchServer(
  codec: WireCodec,
  { answers, notifications = [] }: Prepared,
): Promise<ScratchServer> {
  const child = fork(resolve('bench/wire/scratch-server.mjs'), { serialization: 'advanced', execArgv: [] })
  const frames = Object.keys(answers).map((name) => {
    const method = name as RpcMethod
    const frame = codec.encodeResponse(0n, method, answers[method] as never)
    return [codec.encoding === 'Borsh' ? methods[method].op : method, frame] as const
  })
  child.send({
    prepare: {
      answers: Object.fromEntries(frames),
      notifications: notifications.map((one) => codec.encodeNotification(one)),
    },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `ws://127.0.0.1:${String(port)}`,
    notify: (n, which = 0) => child.send({ notify: n, which }),
    stream: (interval) => child.send({ stream: interval }),
    close: () => child.kill(),
  }
}
