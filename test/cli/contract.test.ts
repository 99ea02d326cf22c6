import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { runCollected } from './run-collected.js'

const FIXTURES = join(import.meta.dirname, '../fixtures/contracts')

const contract = (...args: string[]) => runCollected('contract', ...args)

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'contract-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

it.each(['counter', 'token20', 'vault'])('writes the module of %s', async (name) => {
  const file = join(folder(), 'module.ts')
  const result = await contract(join(FIXTURES, `artifacts/${name}.json`), '--out', file)
  expect(result).toEqual({ code: 0, out: '', err: '' })
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(FIXTURES, `modules/${name}.ts`), 'utf8'))
})

it('prints the module without --out', async () => {
  const { code, out } = await contract(join(FIXTURES, 'artifacts/counter.json'))
  expect(code).toBe(0)
  expect(`${out}\n`).toBe(readFileSync(join(FIXTURES, 'modules/counter.ts'), 'utf8'))
})

it('writes nothing for an artifact that is not valid', async () => {
  const path = folder()
  const changed = readFileSync(join(FIXTURES, 'artifacts/counter.json'), 'utf8').replace('4d5aa222', '4d5aa223')
  writeFileSync(join(path, 'changed.json'), changed)
  const { code, err } = await contract(join(path, 'changed.json'), '--out', join(path, 'changed.ts'))
  expect(code).toBe(1)
  expect(err).toContain(
    'contracts.Counter.entries.__covenant_entrypoint_auth_increment.dispatch_tag is not 4d5aa222, the tag of this name',
  )
  expect(() => readFileSync(join(path, 'changed.ts'))).toThrow('ENOENT')
})

it('exits with 1 for a file that is no JSON, and with 2 for a command line that cannot be read', async () => {
  expect((await contract(join(FIXTURES, 'sil/counter.sil'))).code).toBe(1)
  expect((await contract(join(FIXTURES, 'missing.json'))).err).toContain('cannot be read as JSON')
  expect((await contract()).code).toBe(2)
  expect((await contract('a.json', 'b.json')).code).toBe(2)
  expect((await contract('--colour')).err).toMatch(/^vue-chain contract: Unknown option '--colour'/)
  expect((await contract('--help')).out).toContain('An artifact is trusted code')
})
