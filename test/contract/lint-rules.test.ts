import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ESLint } from 'eslint'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

type Rules = Readonly<Record<string, unknown>>
interface OxlintConfig {
  readonly rules: Rules
  readonly overrides: readonly { readonly rules: Rules }[]
}

const { rules, overrides } = JSON.parse(readFileSync(resolve(ROOT, '.oxlintrc.json'), 'utf8')) as OxlintConfig

/**
 * Rules that oxlint lacks. ESLint applies them in editors and in `test:changed`; the code has no enums and few classes.
 */
const WITHOUT_COUNTERPART = ['typescript/no-unsafe-class-instance-assignment', 'typescript/no-unsafe-enum-assignment']

/** The rules of a configuration file that are on for a file, with their options, under oxlint's names. */
async function rulesOf(config: string, file: string): Promise<Rules> {
  const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: resolve(ROOT, config) })
  const found = (await eslint.calculateConfigForFile(resolve(ROOT, file))) as {
    readonly rules: Readonly<Record<string, readonly [number, ...unknown[]]>>
  }
  return Object.fromEntries(
    Object.entries(found.rules)
      .filter(([, [severity]]) => severity !== 0)
      .map(([name, [, ...options]]) => [
        name.replace('@typescript-eslint', 'typescript'),
        options.length > 0 ? ['error', ...options] : 'error',
      ]),
  )
}

/** Rules that `npm run lint` does not take from ESLint. */
async function omittedRules(file: string): Promise<Rules> {
  const [all, untyped] = await Promise.all([
    rulesOf('eslint.config.js', file),
    rulesOf('eslint.untyped.config.js', file),
  ])
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => !(name in untyped) && !WITHOUT_COUNTERPART.includes(name)),
  )
}

it('oxlint applies each rule that npm run lint leaves out of ESLint, with the same options', async () => {
  const omitted = await omittedRules('src/index.ts')
  expect(Object.keys(omitted).length).toBeGreaterThan(40)
  expect(rules).toEqual(omitted)
})

it('oxlint leaves out in tests what ESLint does', async () => {
  const omitted = await omittedRules('test/model/hex.test.ts')
  const off = Object.keys(rules).filter((name) => !(name in omitted))
  expect(overrides.map((override) => override.rules)).toEqual([Object.fromEntries(off.map((name) => [name, 'off']))])
})

it.each([
  ["export const load = () => import('../warm-up.js')", 1],
  ["export const load = () => loadCode(() => import('../warm-up.js'))", 0],
  ["export const module = lazyModule(() => import('../warm-up.js'))", 0],
])('finds code that is not loaded by src/loading: %s', async (text, count) => {
  const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: resolve(ROOT, 'eslint.untyped.config.js') })
  const [result] = await eslint.lintText(text, { filePath: resolve(ROOT, 'src/engine/features/chain.ts') })
  expect(result?.messages.filter(({ ruleId }) => ruleId === 'vue-chain/loaded-code')).toHaveLength(count)
})

it.each([
  ["signal.addEventListener('abort', end)", 1],
  ["fromEvent(signal, 'abort').subscribe(end)", 1],
  ["socket.addEventListener('close', end)", 0],
  ['onAbort(signal, end)', 0],
])('finds a subscription to an abort outside of src/loading/abortable: %s', async (text, count) => {
  const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: resolve(ROOT, 'eslint.untyped.config.js') })
  const [result] = await eslint.lintText(text, { filePath: resolve(ROOT, 'src/engine/features/chain.ts') })
  expect(result?.messages.filter(({ ruleId }) => ruleId === 'vue-chain/abort-listener')).toHaveLength(count)
})

it.each([
  ["it('title', { timeout: 60_000 }, run)", 1],
  ['it.each(rows)(title, run, 60_000)', 1],
  ['beforeAll(run, 60_000)', 1],
  ["it('title', { timeout: runs(60_000) }, run)", 1],
  ['await expect.poll(read, { timeout: 20_000 }).toBe(1)', 1],
  ['await vi.waitFor(read, 60_000)', 1],
  ['await fetch(url, { signal: AbortSignal.timeout(30_000) })', 1],
  ["it('title', { timeout: LIMIT }, run)", 0],
  ['await expect.poll(read).toBe(1)', 0],
  ['const connection = createConnection({ timeout: 60_000 })', 0],
])('finds a limit of time in a test that is a number: %s', async (text, count) => {
  const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: resolve(ROOT, 'eslint.untyped.config.js') })
  const [result] = await eslint.lintText(text, { filePath: resolve(ROOT, 'test/model/hex.test.ts') })
  expect(result?.messages.filter(({ ruleId }) => ruleId === 'vue-chain-test/limits')).toHaveLength(count)
})

it.each([
  [`// ${'word '.repeat(23)}`, 0],
  [`// ${'word '.repeat(24)}`, 1],
  [`/**\n * Short.\n * ${'word '.repeat(24)}\n */`, 1],
  [`// ${'word '.repeat(24)} https://example.org`, 0],
  [`const text = '${'word '.repeat(24)}'`, 0],
])('finds a comment beyond the print width: %s', async (text, count) => {
  const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: resolve(ROOT, 'eslint.untyped.config.js') })
  const [result] = await eslint.lintText(text, { filePath: resolve(ROOT, 'scripts/size.mjs') })
  const found = result?.messages.filter(({ ruleId }) => ruleId === 'vue-chain-comments/width')
  expect(found).toHaveLength(count)
})
