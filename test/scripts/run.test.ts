import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { run } from '../../scripts/test/run.mjs'

const isPosix = process.platform !== 'win32'

/** A program that computes for 0.3 s of processor time, and then writes to the file. */
const compute = (file: string): string =>
  `while (process.cpuUsage().user < 3e5); require('node:fs').writeFileSync(${JSON.stringify(file)}, 'x')`

/** A named pipe, in a folder of its own. */
function makePipe(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  return pipe
}

it.runIf(isPosix)('counts the processor time of each command alone, while others run beside it', async () => {
  const pipe = makePipe()
  // the idle one begins before the other and ends after it
  const idle = run('cat', [pipe])
  const busy = run('sh', ['-c', '"$0" -e "$1"', process.execPath, compute(pipe)])
  const [other, own] = await Promise.all([idle, busy])
  expect([other.output, own.ok]).toEqual(['x', true])
  expect(own.computed).toBeGreaterThan(0.3)
  expect(other.computed).toBeLessThan(0.2)
})

it('resolves to success, output and the last lines of a command', async () => {
  const program = "for (let at = 0; at < 50; at++) console.log(at); console.error('why'); process.exitCode = 3"
  const { ok, output, last } = await run(process.execPath, ['-e', program])
  expect(ok).toBe(false)
  expect(output.split('\n')).toHaveLength(51)
  expect(last.split('\n')).toHaveLength(40)
  expect(last).toMatch(/why$/)
})

it.runIf(isPosix)('writes the output to a file while the command runs', async () => {
  const pipe = makePipe()
  const log = `${pipe}.log`
  const running = run('sh', ['-c', 'echo first; cat "$0"', pipe], { log })
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toBe('first\n')
  writeFileSync(pipe, 'last\n')
  expect(await running).toMatchObject({ ok: true, output: 'first\nlast' })
  expect(readFileSync(log, 'utf8')).toBe('first\nlast\n')
})

it('passes on what the environment has now', async () => {
  vi.stubEnv('VUE_CHAIN_FULL', 'now')
  onTestFinished(() => void vi.unstubAllEnvs())
  const program = 'console.log(process.env.VUE_CHAIN_FULL, process.env.GOGC)'
  expect((await run(process.execPath, ['-e', program], { defaults: { GOGC: 'off' } })).output).toBe('now off')
})

it('resolves to the reason where a command does not start', async () => {
  const { ok, last } = await run(join(tmpdir(), 'no-such-program'), [])
  expect(ok).toBe(false)
  expect(last).toMatch(/no-such-program/)
})
