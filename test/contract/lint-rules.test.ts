import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ESLint } from 'eslint'
import { builtinRules } from 'eslint/use-at-your-own-risk'
import { createFilter } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

type Rules = Readonly<Record<string, unknown>>
interface OxlintConfig {
  readonly jsPlugins: readonly string[]
  readonly rules: Rules
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules: Rules }[]
}

const oxlint = JSON.parse(readFileSync(resolve(ROOT, '.oxlintrc.json'), 'utf8')) as OxlintConfig

/** The rules of oxlint that have another name in ESLint. */
const OXLINT_NAMES: Readonly<Record<string, string>> = { 'no-restricted-syntax': 'import/no-default-export' }

/**
 * Rules that oxlint lacks. ESLint applies them in editors, in `test:changed` and in `lint:full`. Octal literals are
 * syntax errors in modules, and the code has no enums and few classes.
 */
const WITHOUT_COUNTERPART = new Set([
  'no-octal',
  'rxjs/no-async-subscribe',
  'rxjs/no-nested-subscribe',
  'rxjs/no-unbound-methods',
  'rxjs/no-unsafe-takeuntil',
  'typescript/no-unsafe-class-instance-assignment',
  'typescript/no-unsafe-enum-assignment',
])

/** ESLint's name in oxlint: rules of typescript-eslint that extend one of ESLint are that one. */
function toOxlintName(name: string): string {
  const extended = name.replace('@typescript-eslint/', '')
  if (name !== extended) return extended in oxlint.rules ? extended : `typescript/${extended}`
  return OXLINT_NAMES[name] ?? name
}

/** Without options that are the defaults of ESLint, or that are another way to name the rule. */
function toSetting(name: string, options: readonly unknown[]): unknown {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else lists the defaults
  const defaults = builtinRules.get(name)?.meta?.defaultOptions ?? []
  const isDefault = JSON.stringify(options) === JSON.stringify(defaults)
  return options.length === 0 || isDefault || name in OXLINT_NAMES ? 'error' : ['error', ...options]
}

/** The rules of eslint.config.js that are on for a file, under oxlint's names. */
async function rulesOfEslint(file: string): Promise<Rules> {
  const eslint = new ESLint({ cwd: ROOT, overrideConfigFile: resolve(ROOT, 'eslint.config.js') })
  const found = (await eslint.calculateConfigForFile(resolve(ROOT, file))) as {
    readonly rules: Readonly<Record<string, readonly [number, ...unknown[]]>>
  }
  return Object.fromEntries(
    Object.entries(found.rules)
      .filter(([, [severity]]) => severity !== 0)
      .map(([name, [, ...options]]) => [toOxlintName(name), toSetting(name, options)] as const)
      .filter(([name]) => !WITHOUT_COUNTERPART.has(name)),
  )
}

/** The rules of .oxlintrc.json that are on for a file. */
function rulesOfOxlint(file: string): Rules {
  const applied = oxlint.overrides.filter(({ files }) =>
    createFilter(files, undefined, { resolve: ROOT })(join(ROOT, file)),
  )
  const merged = Object.assign({}, oxlint.rules, ...applied.map(({ rules }) => rules)) as Rules
  return Object.fromEntries(Object.entries(merged).filter(([, setting]) => setting !== 'off'))
}

it.each([
  'src/streams/index.ts',
  'src/wallets/wallet-a/port.ts',
  'src/platform/browser.ts',
  'src/loading/abortable.ts',
  'src/cli/main.ts',
  'src/feed/index.ts',
  'src/adapters/vue/index.ts',
  'src/adapters/vue/testing/index.ts',
  'src/adapters/nuxt/module.ts',
  'src/adapters/nuxt/runtime/plugin.ts',
  'bench/wire/codec.ts',
  'create/src/main.ts',
  'demo/src/main.ts',
  'test/model/hex.test.ts',
  'test/real-node/kaspad.ts',
])('oxlint applies the rules of ESLint to %s, with the same options', async (file) => {
  const rules = await rulesOfEslint(file)
  expect(Object.keys(rules).length).toBeGreaterThan(100)
  expect(rulesOfOxlint(file)).toEqual(rules)
})

/** Texts of a file, each with how often oxlint finds the rule in it. */
const CASES: Readonly<
  Record<string, { readonly file: string; readonly rows: readonly (readonly [string, number])[] }>
> = {
  'loaded-code': {
    file: 'src/engine/features/chain.ts',
    rows: [
      ["export const load = () => import('../warm-up.js')", 1],
      ["export const load = () => loadCode(() => import('../warm-up.js'))", 0],
      ["export const module = lazyModule(() => import('../warm-up.js'))", 0],
    ],
  },
  'abort-event': {
    file: 'src/engine/features/chain.ts',
    rows: [
      ["signal.addEventListener('abort', end)", 1],
      ["fromEvent(signal, 'abort').subscribe(end)", 1],
      ["socket.addEventListener('close', end)", 0],
      ['onAbort(signal, end)', 0],
    ],
  },
  limits: {
    file: 'test/model/hex.test.ts',
    rows: [
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
    ],
  },
  'comment-width': {
    file: 'bench/wire/codec.ts',
    rows: [
      [`// ${'word '.repeat(23)}`, 0],
      [`// ${'word '.repeat(24)}`, 1],
      [`/**\n * Short.\n * ${'word '.repeat(24)}\n */`, 1],
      [`// ${'word '.repeat(24)} https://example.org`, 0],
      [`const text = '${'word '.repeat(24)}'`, 0],
    ],
  },
}

describe('oxlint with the rules of this repository', () => {
  /** Files by row: the name of its file with the number of the row before it. */
  const files = Object.entries(CASES).flatMap(([rule, { file, rows }]) =>
    rows.map(([text], row) => ({
      text,
      file: join(dirname(file), `${rule}-${String(row)}.${file.endsWith('.test.ts') ? 'test.ts' : 'ts'}`),
    })),
  )
  let found: readonly { readonly code: string; readonly filename: string }[]
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vue-chain-lint-'))
    const jsPlugins = oxlint.jsPlugins.map((name) =>
      name.startsWith('.') ? resolve(ROOT, name) : createRequire(import.meta.url).resolve(name),
    )
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...oxlint, $schema: undefined, jsPlugins }))
    for (const { file, text } of files) {
      mkdirSync(join(folder, dirname(file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    }
    const command = [resolve(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format=json']
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' })
    if (!stdout.startsWith('{')) throw new Error(`${stdout}${stderr}`)
    found = (JSON.parse(stdout) as { readonly diagnostics: typeof found }).diagnostics
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const rows = Object.entries(CASES).flatMap(([rule, { rows: texts }]) =>
    texts.map(([text, count], row) => ({ rule, row, text, count })),
  )
  it.each(rows)('finds $rule $count times in: $text', ({ rule, row, count }) => {
    const ofRow = found.filter(({ filename }) => filename.includes(`/${rule}-${String(row)}.`))
    expect(ofRow.filter(({ code }) => code === `vue-chain(${rule})`)).toHaveLength(count)
  })
})
