/**
 * A server that knows nothing but prepared bytes: it answers each request with the answer prepared for its method, under
 * the request's id, and sends prepared notifications when it is told to. It runs in a process of its own, so that its
 * work is not counted. Commands come over IPC: `{ prepare: { answers, notifications } }`; `{ notify: who, which }` sends
 * one of them to the n-th that connected; `{ stream: ms }` sends all in turn to everybody, one every so many ms, for ever.
 */
import { setInterval } from 'node:timers'
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
let prepared = { answers: {}, notifications: [] }

server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    socket.send(isBinary ? answerInBorsh(data) : answerInJson(data.toString()))
  })
})

process.on('message', ({ prepare, notify, which, stream }) => {
  if (prepare) {
    prepared = prepare
    process.send({ port: server.address().port })
  }
  if (notify !== undefined) [...server.clients][notify].send(prepared.notifications[which])
  if (stream) setInterval(sendNext, stream)
})

process.on('disconnect', () => process.exit()) // whoever wanted it is gone

let sent = 0

function sendNext() {
  const notification = prepared.notifications[sent++ % prepared.notifications.length]
  for (const client of server.clients) client.send(notification)
}

/** The id is in the bytes 1 to 8 of request and answer; the operation is the byte behind it. */
function answerInBorsh(request) {
  const answer = prepared.answers[request[9]]
  answer.set(request.subarray(1, 9), 1)
  return answer
}

/** Answers are prepared with the id 0, which stands in front. */
function answerInJson(request) {
  const [, id, method] = /^\{"id":(\d+),"method":"(\w+)"/.exec(request)
  return `{"id":${id}${prepared.answers[method].slice('{"id":0'.length)}`
}
