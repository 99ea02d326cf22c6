/**
 * A server of prepared bytes: sends the prepared response of each request's method under the request's id, and prepared
 * notifications on command. It runs in its own process, so that its work is not measured. Commands over IPC:
 * `{ prepare: { responses, notifications, chain } }`; `{ notify: n, which }` sends one notification to the n-th client;
 * `{ stream: ms }` sends all notifications cyclically to all clients, one every `ms`, without end; `{ stamp: ms }`
 * likewise, each with the time in its last eight bytes; `{ usage: true }` reads what the clients have used.
 */
import { setInterval } from 'node:timers'
import { WebSocketServer } from 'ws'
import { createStubChain } from './stub-chain.mjs'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
let prepared = { responses: {}, notifications: [] }
let chain
const used = { bytes: 0, requests: [] }

server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    const response = isBinary ? respondInBorsh(data) : respondInJson(data.toString())
    used.bytes += response.length
    if (isBinary) used.requests[data[9]] = (used.requests[data[9]] ?? 0) + 1
    socket.send(response)
  })
})

process.on('message', ({ prepare, notify, which, stream, stamp, usage }) => {
  if (prepare) {
    prepared = prepare
    if (prepare.chain) chain = createStubChain(prepare.chain)
    process.send({ port: server.address().port })
  }
  if (notify !== undefined) [...server.clients][notify].send(prepared.notifications[which])
  if (stream) setInterval(() => send(prepared.notifications[sent++ % prepared.notifications.length]), stream)
  if (stamp) setInterval(() => send(stamped(prepared.notifications[0])), stamp)
  if (usage) process.send({ usage: { ...used, clients: server.clients.size } })
})

process.on('disconnect', () => process.exit()) // the parent process has exited

let sent = 0

function send(notification) {
  chain?.onNotification(notification)
  for (const client of server.clients) client.send(notification)
}

/** With the time, Unix µs. */
function stamped(notification) {
  const frame = Buffer.from(notification)
  const time = Math.round(1_000 * (performance.timeOrigin + performance.now()))
  frame.writeBigUInt64LE(BigInt(time), frame.length - 8)
  return frame
}

/** The id is in bytes 1 to 8 of request and response; the operation is byte 9. */
function respondInBorsh(request) {
  const response = chain?.respond(request) ?? prepared.responses[request[9]]
  if (response === undefined) throw new Error(`No response to the method of code ${request[9]}`)
  response.set(request.subarray(1, 9), 1)
  return response
}

/** Prepared responses begin with the id 0. */
function respondInJson(request) {
  const [, id, method] = /^\{"id":(\d+),"method":"(\w+)"/.exec(request)
  return `{"id":${id}${prepared.responses[method].slice('{"id":0'.length)}`
}
