/**
 * A server that knows nothing but prepared bytes: it answers each request with the answer prepared for its method, under
 * the request's id, and sends the prepared notification to whom it is told. It runs in a process of its own, so that its
 * work is not counted. Commands come over IPC: `{ prepare: { answers, notification } }`,
 * `{ notify: n }` for the n-th that connected.
 */
import { WebSocketServer } from 'ws'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
let prepared = { answers: {}, notification: undefined }

server.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    socket.send(isBinary ? answerInBorsh(data) : answerInJson(data.toString()))
  })
})

process.on('message', ({ prepare, notify }) => {
  if (prepare) {
    prepared = prepare
    process.send({ port: server.address().port })
  }
  if (notify !== undefined) [...server.clients][notify].send(prepared.notification)
})

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
