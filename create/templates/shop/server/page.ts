import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Serves the built page. Its files are listed once: no path leads elsewhere. `nodeUrl` is where it connects; without
 * it, to a public node, whose host is not known before.
 */
export function createPage(
  folder: string,
  nodeUrl?: string,
): (request: IncomingMessage, response: ServerResponse, url: URL) => void {
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `/${path}`))
  const policy = policyOf(nodeUrl === undefined ? 'https: wss:' : new URL(nodeUrl).origin)
  return (_, response, { pathname }) => {
    const path = pathname === '/' ? '/index.html' : pathname
    const type = TYPES[extname(path)]
    const headers = { 'content-security-policy': policy, 'x-content-type-options': 'nosniff' }
    if (type === undefined || !files.has(path)) response.writeHead(404).end()
    else response.writeHead(200, { ...headers, 'content-type': type }).end(readFileSync(join(folder, path)))
  }
}

/** A Content-Security-Policy: a text that ends up in the page runs no code, and no other site shows it in a frame. */
const policyOf = (nodes: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:", // browser wallets have their icons in such URLs
    `connect-src 'self' ${nodes}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
