/**
 * `npm run soak [-- --hours N] [--seed S] [--leak] [--snapshots FOLDER]`: a service and a page of Chromium follow a
 * simulated network of ten blocks a second through faults, reorgs and payments, for half an hour by default. Prints
 * their memory, handles and subscriptions with the growth of each by a linear fit; exits with 1 where one grows, or
 * where a client was without a connection for long or has stopped following. What an engine remembers of hours of
 * payments is bounded: the service is built with small bounds, so that it is full while the soak warms up. `--leak`
 * leaks on purpose, to test the detection; `--snapshots` writes heap snapshots of the service after the warm-up and at
 * the end, for `compare-snapshots.mjs`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { withBundle } from './bundle.mjs'
import { smallBounds } from './soak/small-bounds.mjs'

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '0.5' },
    seed: { type: 'string', default: '1' },
    leak: { type: 'boolean', default: false },
    snapshots: { type: 'string' },
  },
})
const [hours, seed] = [Number(values.hours), Number(values.seed)]
if (!(hours > 0) || !Number.isInteger(seed)) {
  console.error('--hours is a number above zero, and --seed a whole number.')
  process.exit(2)
}

/** Starts the service of a bundle; it ends with this process. */
async function startService(program, settings, snapshots) {
  const child = fork(program, { execArgv: ['--expose-gc'] })
  const ended = new AbortController()
  child.once('exit', (status) => ended.abort(new Error(`The service has ended with status ${status}`)))
  const reply = async () => {
    const [message] = await once(child, 'message', { signal: ended.signal })
    return message
  }
  const request = (message) => {
    child.send(message)
    return reply()
  }
  await request(settings)
  return {
    usage: () => request('usage'),
    writeSnapshot: (name) => request({ snapshot: join(snapshots, `${name}.heapsnapshot`) }),
    stop: () => child.kill(),
  }
}

const snapshots = values.snapshots && resolve(values.snapshots)
if (snapshots) mkdirSync(snapshots, { recursive: true })
const entries = { soak: 'test/soak/soak.ts', service: 'test/soak/service-process.ts' }
const run = async (folder) => {
  const { soak } = await import(join(folder, 'soak.js'))
  const service = (settings) => startService(join(folder, 'service.js'), settings, snapshots)
  const options = { hours, seed, startService: service, leaks: values.leak, snapshots: snapshots !== undefined }
  const wrong = await soak({ ...options, log: console.log })
  console.log(`${hours} hours, seed ${seed}: ${wrong.length === 0 ? 'nothing grows' : wrong.join(', ')}`)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
await withBundle(entries, run, [smallBounds])
