// The files of the built page, read once: no path of a request reaches the disk.
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' }

/** Mnemonics are typed into this page: it runs its own code alone, in no frame, and connects to its node. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Paths with headers and content. */
export async function readPage(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  const files = await Promise.all(
    paths.map(async (path) => {
      const headers = { ...HEADERS, 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }
      return [`/${relative(folder, path).split(sep).join('/')}`, { headers, body: await readFile(path) }]
    }),
  )
  return new Map(files.map(([path, file]) => [path === '/index.html' ? '/' : path, file]))
}
