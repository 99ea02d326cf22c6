/**
 * `node scripts/kcc-vectors.mjs`: gets the crate kascov-decode 0.3.0 by cargo, and compares the codec of contracts with
 * the official vectors of KCC-1, KCC-2 and KCC-20 that it carries. What these say of transfers, approvals and borrowed
 * receives is executed by the script machine, on the program of the reference implementation as a chain has shown it.
 * Nothing of it is kept: facts that matter are inputs and results in the tests. Exits with 1 where there is a
 * difference.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withBundle } from './bundle.mjs'

const CRATE = 'kascov-decode'
const VERSION = '0.3.0'
const SHA256 = '62c6589065d651b090017baf62323bcc63420c0966963830638fc13f4f8a2b46'

const folder = mkdtempSync(join(tmpdir(), 'kcc-vectors-'))
try {
  const crate = fetchCrate()
  const read = (path) => readFileSync(join(crate, path))
  const json = (path) => JSON.parse(read(path).toString())
  const official = (path) => json(`tests/fixtures/kccs/${path}`)
  const entries = {
    vectors: 'test/model/contracts/kcc-vectors.ts',
    rejections: 'test/model/contracts/kcc-rejections.ts',
    reference: 'test/model/tokens/reference-vectors.ts',
    observed: 'test/model/tokens/observed-calls.ts',
  }
  await withBundle(entries, async (built) => {
    const load = (name) => import(pathToFileURL(join(built, `${name}.js`)).href)
    const [{ compareVectors }, { compareRejections }, { compareReference }, { compareObserved }] = await Promise.all(
      Object.keys(entries).map(load),
    )
    const kcc1 = official('kcc-0001/conformance.json')
    const kcc2 = official('kcc-0002/authority-schemes.json')
    const kcc20 = official('kcc-0020/conformance.json')
    const fixture = (name) => `fixtures/kcc0020/${name}`
    const more = json(fixture('kascov-extra-vectors.json'))
    const script = read(fixture('reference_kcc20_a.bin'))
    const observed = {
      script: read(fixture('kasparocket_kcc20_a.bin')),
      spends: ['mainnet_b5d073a6', 'tn10_30392428'].map((name) =>
        json(fixture(`kasparocket_kcc20_spend_${name}.json`)),
      ),
    }
    report([
      ...[kcc1, kcc2, kcc20].flatMap(compareVectors),
      ...compareRejections(kcc1),
      ...compareReference({ script, kcc2, kcc20, more }),
      ...compareObserved(observed),
    ])
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Puts the crate into the folder, and returns its path. */
function fetchCrate() {
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/lib.rs'), '')
  const dependency = `[dependencies]\n${CRATE} = "=${VERSION}"\n`
  writeFileSync(
    join(folder, 'Cargo.toml'),
    `[package]\nname = "vectors"\nversion = "0.0.0"\nedition = "2021"\n${dependency}`,
  )
  execFileSync('cargo', ['vendor', '--quiet', 'vendor'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const crate = join(folder, 'vendor', CRATE)
  const { package: hash } = JSON.parse(readFileSync(join(crate, '.cargo-checksum.json'), 'utf8'))
  if (hash !== SHA256) throw new Error('The crate is another one')
  return crate
}

function report(all) {
  for (const section of new Set(all.map((one) => one.section))) {
    const of = all.filter((one) => one.section === section)
    console.log(`${section}: ${of.filter((one) => one.isEqual).length} of ${of.length}`)
  }
  const wrong = all.filter((one) => !one.isEqual)
  for (const { section, what } of wrong) console.error(`differs: ${section} ${what.slice(0, 200)}`)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
