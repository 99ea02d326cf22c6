/**
 * `npm run demo`: a local network and a page that shows it, in one process, offline. Builds what is missing or older
 * than its sources, uses other ports where the default ones are in use, stops on Ctrl-C.
 */
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIfStale } from './build-if-stale.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const DEFAULT_PORT = 4173
const LOOPBACK = '127.0.0.1'

const USAGE = `npm run demo -- [options]
  --port N            the page's port (${DEFAULT_PORT}, or a free one)
  --host [ADDRESS]    listen beyond this machine, on all addresses or on one
  --block-interval N  ms from one step of the network to the next (1000; 0: on request only)
  --seed N            the network's seed (0)`

main().catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function main() {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') return console.log(USAGE)
  await buildIfStale(ROOT)
  const [{ createDevnode }, { startDemo }] = await Promise.all([
    import(`${ROOT}/dist/devnode.js`),
    import('./demo-server.mjs'),
  ])
  const demo = await startDemo(createDevnode, options)
  // installed before the first output, so that no early Ctrl-C is ignored
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  report(options, demo)
  await ended
  await demo.stop()
}

/** Parses the command line; throws a one-line error where it is invalid. */
function readOptions(args) {
  // `--host` alone means every address; parseArgs does not support options with an optional value
  const normalized = args.map((arg, index) =>
    arg === '--host' && /^(--.*)?$/.test(args[index + 1] ?? '') ? '--host=0.0.0.0' : arg,
  )
  const { values } = parseArgs({
    args: normalized,
    options: {
      help: { type: 'boolean', short: 'h' },
      port: { type: 'string' },
      host: { type: 'string', default: LOOPBACK },
      'block-interval': { type: 'string', default: '1000' },
      seed: { type: 'string', default: '0' },
    },
  })
  if (values.help) return 'help'
  const port = values.port === undefined ? undefined : readCount('--port', values.port, 65_535)
  const blockInterval = readCount('--block-interval', values['block-interval'], 2 ** 31 - 1)
  const seed = readCount('--seed', values.seed, Number.MAX_SAFE_INTEGER)
  // a requested port is used or refused; without one the default port is tried first
  return { host: values.host, port: port ?? DEFAULT_PORT, strictPort: port !== undefined, blockInterval, seed }
}

function readCount(name, text, limit) {
  const value = Number(text)
  if (text !== '' && Number.isInteger(value) && value >= 0 && value <= limit) return value
  throw new Error(`${name} must be a whole number from 0 to ${limit}, not "${text}".`)
}

function report({ host, blockInterval }, { url, devnode: { urls } }) {
  const isOpen = host !== LOOPBACK && host !== 'localhost'
  const pace = blockInterval > 0 ? `a step every ${blockInterval} ms` : 'mining on request'
  console.log(`\n  Open  ${url}\n`)
  if (isOpen)
    console.log('  Listening beyond this machine: every host that reaches it can use the network; its keys are public.')
  console.log(`  A local Kaspa network runs beside it, ${pace}:`)
  console.log(`  Borsh ${urls.borsh} · JSON ${urls.json} · control ${urls.control}`)
  console.log('  Ctrl-C ends both.')
}
