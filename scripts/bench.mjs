/**
 * `npm run bench [-- NAME …] [--json FILE] [--compare FILE] [--publish] [--strict] [--time-limit SECONDS]`: every
 * benchmark of bench/, or those named, as one table with the goal beside each figure. `--json` writes the rows,
 * `--compare` adds a table that compares them with the rows of an earlier run, in its file; `--publish` writes the rows
 * into docs/performance.md; `--time-limit` is that of one benchmark. Figures are ratios against a peer measured in the
 * same run. It fails only with `--strict`, where a row misses its goal or has no figure, or a benchmark has no row.
 * Each file is bundled as a user's bundler would and runs in its own process, so that none warms another's code.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'vite'
import { compareRows, comparisonTable } from './bench/compare.mjs'
import { complaintsOf } from './bench/strict.mjs'
import { HEAD, lineOf, publish } from './bench/table.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    compare: { type: 'string' },
    publish: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    'time-limit': { type: 'string', default: '600' },
  },
})
const earlier = values.compare === undefined ? undefined : JSON.parse(readFileSync(values.compare, 'utf8'))
const ROOT = resolve(import.meta.dirname, '..')
const names = readdirSync(join(ROOT, 'bench'))
  .filter((file) => file.endsWith('.ts') && file !== 'row.ts')
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => positionals.length === 0 || positionals.includes(name))

/** Time limit of one benchmark, ms, so that one that hangs does not stop the others. */
const TIME_LIMIT = Number(values['time-limit']) * 1_000

/** Bundles the named benchmarks for Node; packages stay outside. */
async function bundle(outDir) {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(ROOT, 'bench', `${name}.ts`)])),
        external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('\0'),
      },
    },
  })
}

/** Runs one benchmark in its own process; its rows, or a row that says why there are none. */
function measure(outDir, name) {
  const file = join(outDir, `${name}.rows.json`)
  const code = `
    import { writeFileSync } from 'node:fs'
    const { run } = await import(${JSON.stringify(join(outDir, `${name}.js`))})
    writeFileSync(${JSON.stringify(file)}, JSON.stringify(await run()))
    process.exit(0)`
  return new Promise((done) => {
    spawn(process.execPath, ['--expose-gc', '--max-old-space-size=8192', '--input-type=module', '-e', code], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: TIME_LIMIT,
    }).on('exit', (status) => {
      done(
        status === 0
          ? JSON.parse(readFileSync(file, 'utf8'))
          : [
              {
                what: name,
                against: '–',
                ratio: Number.NaN,
                goal: 'a figure',
                met: false,
                detail: status === null ? `aborted after ${TIME_LIMIT / 1000} s` : `ended with status ${status}`,
              },
            ],
      )
    })
  })
}

// Outside node_modules, where the package's imports (`#sdk`) would not resolve.
mkdirSync(join(ROOT, '.cache'), { recursive: true })
const outDir = mkdtempSync(join(ROOT, '.cache', 'bench-'))
try {
  await bundle(outDir)
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${new Date().toISOString().slice(0, 10)}\n`,
  )
  console.log(HEAD.join('\n'))
  const results = []
  for (const name of names) {
    const rows = await measure(outDir, name)
    results.push({ name, rows })
    for (const row of rows) console.log(lineOf(row))
  }
  const rows = results.flatMap((result) => result.rows)
  if (earlier !== undefined) console.log(['', ...comparisonTable(compareRows(earlier, rows))].join('\n'))
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
  if (values.publish) {
    const page = join(ROOT, 'docs/performance.md')
    writeFileSync(page, publish(readFileSync(page, 'utf8'), rows, { isComplete: positionals.length === 0 }))
  }
  const complaints = values.strict ? complaintsOf(results) : []
  if (complaints.length > 0) {
    console.error(['', ...complaints].join('\n'))
    process.exitCode = 1
  }
} finally {
  rmSync(outDir, { recursive: true, force: true })
}
