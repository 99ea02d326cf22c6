import { text as plain } from '../http/reply.js'
import { get, type Route } from '../http/route.js'

/** The server's documentation pages: here, the list of routes. */
export function serviceRoutes(routes: readonly Route[]): readonly Route[] {
  const lines = routes.map(({ method, path }) => `${method} ${path}`)
  const page = `<!DOCTYPE html><html><head><title>Devnode REST</title></head><body><pre>${lines.join('\n')}</pre></body></html>`
  const html = () => ({ ...plain(page), headers: { 'content-type': 'text/html; charset=utf-8' } })
  return [
    get('/', { handle: () => ({ status: 307, headers: { location: '/docs' } }) }),
    get('/docs', { handle: html }),
    get('/redoc', { handle: html }),
    get('/openapi.json', { handle: () => ({ status: 200, body: toSchema(routes) }) }),
  ]
}

function toSchema(routes: readonly Route[]) {
  const info = {
    title: 'Devnode REST',
    description: 'The REST endpoints of a Kaspa indexer, over a simulated network',
    version: '0.0.32',
  }
  const paths = routes.map(({ method, path }) => [
    path,
    { [method.toLowerCase()]: { responses: { 200: { description: 'OK' } } } },
  ])
  return { openapi: '3.1.0', info, paths: Object.fromEntries(paths) as object }
}
