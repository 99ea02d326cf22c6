import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { methods } from '../../src/node/messages/methods.js'
import type { NodeNotification, RpcMethod, RpcResponse } from '../../src/node/messages/records.js'
import type { WireCodec } from '../../src/wrpc/codec.js'

/** What a scratch server says. */
export interface Prepared {
  readonly answers: { readonly [M in RpcMethod]?: RpcResponse<M> }
  readonly notification?: NodeNotification
}

export interface ScratchServer {
  readonly url: string
  /** Sends the prepared notification to the n-th that connected. */
  notify(n: number): void
  close(): void
}

/** Starts a server, in a process of its own, that sends what `prepared` is in the encoding of `codec`. */
export async function startScratchServer(
  codec: WireCodec,
  { answers, notification }: Prepared,
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
      notification: notification && codec.encodeNotification(notification),
    },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `ws://127.0.0.1:${String(port)}`,
    notify: (n) => child.send({ notify: n }),
    close: () => child.kill(),
  }
}
