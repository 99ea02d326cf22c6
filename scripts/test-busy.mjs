/**
 * `npm run test:busy [-- loops | installs]`: `npm test` on a machine that is busy, by default twice: beside twice as
 * many busy loops as the machine has cores, and beside a loop of installs. No test is retried: one that would pass then
 * depends on the speed of the machine. Exits with 1 where one of the runs failed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { CORES } from './test/machine.mjs'

const ROOT = resolve(import.meta.dirname, '..')

/** What keeps the machine busy: each begins it, and returns a function that ends it. */
const LOADS = {
  loops() {
    const loops = Array.from({ length: 2 * CORES }, () => spawn(process.execPath, ['--eval', 'for (;;);']))
    return () => Promise.all(loops.map(end))
  },

  installs() {
    const folder = mkdtempSync(join(tmpdir(), 'vue-chain-busy-'))
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(ROOT, file), join(folder, file))
    let installing
    let isOver = false
    const ended = (async () => {
      while (!isOver) {
        rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
        installing = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
          cwd: folder,
          stdio: 'ignore',
        })
        const [code] = await once(installing, 'exit')
        if (code !== 0 && !isOver) throw new Error(`npm ci ended with ${code}: there is no load`)
      }
    })()
    ended.catch(() => undefined) // reported when the load ends
    return async () => {
      isOver = true
      installing.kill()
      await ended.finally(() => rmSync(folder, { recursive: true, force: true }))
    }
  },
}

async function end(child) {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}

/** Runs `npm test` without retries; resolves to whether it succeeded. */
async function test() {
  const env = { ...process.env, VUE_CHAIN_RETRY: '0' }
  const [code] = await once(spawn('npm', ['test'], { cwd: ROOT, stdio: 'inherit', env }), 'exit')
  return code === 0
}

const given = process.argv.slice(2)
const unknown = given.find((name) => !(name in LOADS))
if (unknown !== undefined) {
  console.error(`Unknown load "${unknown}": ${Object.keys(LOADS).join(', ')}`)
  process.exit(2)
}
for (const name of given.length > 0 ? given : Object.keys(LOADS)) {
  console.log(`══ npm test beside ${name}`)
  const stop = LOADS[name]()
  const isGreen = await test().finally(stop)
  console.log(`══ beside ${name}: ${isGreen ? 'passed' : 'failed'}`)
  if (!isGreen) process.exitCode = 1
}
