import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Serves the built page. Its files are listed once: no path leads elsewhere. */
export function createPage(folder: string): (request: IncomingMessage, response: ServerResponse, url: URL) => void {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `/${path}`))
  return (_, response, { pathname }) => {
    const path = pathname === '/' ? '/index.html' : pathname
    const type = TYPES[extname(path)]
    if (type === undefined || !files.has(path)) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': type }).end(readFileSync(join(folder, path)))
  }
}
