import { serveHttp } from '../hostile/http-server.js'

/** A page of another origin, which claims to be the program. Closed with the test. */
export async function serveForeign() {
  const line = { type: 'line', level: 'log', text: 'forged' }
  const { url, requests } = await serveHttp((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(`<script>for (const message of [${JSON.stringify(line)}, { run: '', message: ${JSON.stringify(line)} }])
      setInterval(() => parent.postMessage(message, '*'), 1)</script>`)
  })
  return { url: `${url}/`, requests }
}
