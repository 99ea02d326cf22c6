/**
 * `npm run test:leaks [-- --engines N] [--reconnects N] [--components N]`: creates and disposes 100 engines, 200
 * connections and 1000 components in a child process, which must then hold no resource and exit by itself. Prints one
 * line; exits with 1 where a resource remains. `--plant timer,socket,…` leaks such resources on purpose, to test the
 * detection; `--timeout MS` bounds the time until released resources have disappeared.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withBundle } from './bundle.mjs'

const { values } = parseArgs({
  options: {
    engines: { type: 'string', default: '100' },
    reconnects: { type: 'string', default: '200' },
    components: { type: 'string', default: '1000' },
    timeout: { type: 'string', default: '60000' },
    plant: { type: 'string', default: '' },
  },
})
const { plant, ...texts } = values
const amounts = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Number(text)]))
const plants = plant.split(',').filter((name) => name !== '')

const program = (library) => `
  const { findLeaks } = await import(${JSON.stringify(library)})
  process.send(await findLeaks(${JSON.stringify({ ...amounts, plants })}))
  process.disconnect()`

/** Runs the program in a child process; resolves to the leaked resources, a process that does not exit included. */
async function run(library) {
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', program(library)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const left = []
  child.once('message', (found) => {
    left.push(...found)
    const timer = setTimeout(() => left.push('the process itself') && child.kill('SIGKILL'), amounts.timeout)
    child.once('exit', () => clearTimeout(timer))
  })
  const [code] = await once(child, 'exit')
  return code === 0 || left.includes('the process itself') ? left : [...left, `the process ended with status ${code}`]
}

await withBundle({ leaks: 'test/leaks/leaks.ts' }, async (folder) => {
  const left = await run(join(folder, 'leaks.js'))
  for (const trace of left) console.log(trace)
  const { engines, reconnects, components } = amounts
  console.log(`${engines} engines, ${reconnects} reconnects, ${components} components, ${left.length} left`)
  process.exitCode = left.length === 0 ? 0 : 1
})
