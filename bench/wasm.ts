import { createServer, type Server } from 'node:http'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize, resolve } from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { build } from 'vite'
import type { BenchRow } from './row.js'
import { median } from './lib/median.js'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
const ROUNDS = 20
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm' }

/** The production build of a page that can do both: load the SDK as we do, or only its WASM file, bare. */
const PAGE = `
  import { loadSdk } from ${JSON.stringify(resolve('src/sdk/wasm/load.ts'))}
  const timed = async (start) => { const from = performance.now(); await start(); return performance.now() - from }
  const stubs = { __wbindgen_placeholder__: new Proxy({}, { get: () => () => 0 }) }
  window.ours = () => timed(loadSdk)
  window.bare = (url) => timed(() => WebAssembly.instantiateStreaming(fetch(url), stubs))
`

/** WASM ready in Chromium on a cold page, against the bare instantiation of the same file from the same server. */
export async function run(): Promise<BenchRow[]> {
  const row = {
    what: 'WASM ready in Chromium, cold',
    against: 'bare instantiateStreaming of the same file',
    goal: '≤ 1.1 ×',
  }
  if (!existsSync(CHROMIUM)) return [{ ...row, ratio: NaN, met: false, detail: `skipped, no browser at ${CHROMIUM}` }]
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-bench-'))
  const wasm = await buildPage(folder)
  const server = await serve(folder)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  try {
    const { ours, bare } = await measure(browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, wasm)
    const detail = `${ours.toFixed(0)} ms against ${bare.toFixed(0)} ms, median of ${ROUNDS}, local server, uncompressed`
    return [{ ...row, ratio: ours / bare, met: ours / bare <= 1.1, detail }]
  } finally {
    await browser.close()
    server.close()
    rmSync(folder, { recursive: true })
  }
}

/** Builds the page and answers the name of its WASM asset. */
async function buildPage(outDir: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'bench-page',
        resolveId: (id) => (id === 'bench-page' ? '\0bench-page' : null),
        load: (id) => (id === '\0bench-page' ? PAGE : null),
      },
    ],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: 'bench-page', output: { entryFileNames: 'page.js' } },
    },
  })
  if (Array.isArray(output) || !('output' in output)) throw new Error('Vite answered no single bundle')
  const asset = output.output.find(({ fileName }) => fileName.endsWith('.wasm'))
  if (asset === undefined) throw new Error('The build of the page holds no WASM asset')
  return `/${asset.fileName}`
}

function serve(folder: string): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const file = url === '/' ? undefined : join(folder, normalize(url))
    const content = file === undefined ? '<!doctype html><script type="module" src="/page.js"></script>' : read(file)
    const type = TYPES[extname(url)] ?? 'text/html'
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': type, 'cache-control': 'no-store' })
    response.end(content)
  })
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)))
}

const read = (file: string): Buffer | undefined => (existsSync(file) ? readFileSync(file) : undefined)

/** Each load in a fresh context, that shares no cache. Ours and the bare one take turns in going first. */
async function measure(browser: Browser, page: string, wasm: string): Promise<{ ours: number; bare: number }> {
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const ours = async (): Promise<number> => times.ours.push(await once(browser, page, 'ours()'))
    const bare = async (): Promise<number> => times.bare.push(await once(browser, page, `bare('${wasm}')`))
    for (const load of round % 2 === 0 ? [ours, bare] : [bare, ours]) await load()
  }
  return { ours: median(times.ours), bare: median(times.bare) }
}

async function once(browser: Browser, url: string, call: string): Promise<number> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  const time = await page.evaluate<number>(`window.${call}`)
  await context.close()
  return time
}
