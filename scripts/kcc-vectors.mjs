/**
 * `node scripts/kcc-vectors.mjs`: downloads the crate kascov-decode 0.3.0 from crates.io, and compares the codec of
 * contracts with the official vectors of KCC-1, KCC-2 and KCC-20 that it carries. Nothing of it is kept: facts that
 * matter are inputs and results in the tests. Exits with 1 where there is a difference.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withBundle } from './bundle.mjs'

const CRATE = 'kascov-decode-0.3.0'
const SHA256 = '62c6589065d651b090017baf62323bcc63420c0966963830638fc13f4f8a2b46'
const FILES = ['kcc-0001/conformance.json', 'kcc-0002/authority-schemes.json', 'kcc-0020/conformance.json']

const folder = mkdtempSync(join(tmpdir(), 'kcc-vectors-'))
try {
  const response = await fetch(`https://static.crates.io/crates/kascov-decode/${CRATE}.crate`)
  if (!response.ok) throw new Error(`crates.io responds with ${response.status}`)
  const crate = Buffer.from(await response.arrayBuffer())
  if (createHash('sha256').update(crate).digest('hex') !== SHA256) throw new Error('The crate is another one')
  writeFileSync(join(folder, 'crate.tar.gz'), crate)
  execFileSync('tar', ['-xzf', 'crate.tar.gz'], { cwd: folder })
  await withBundle({ vectors: 'test/model/contracts/kcc-vectors.ts' }, async (built) => {
    const { compareVectors } = await import(pathToFileURL(join(built, 'vectors.js')).href)
    const all = FILES.flatMap((file) =>
      compareVectors(JSON.parse(readFileSync(join(folder, CRATE, 'tests/fixtures/kccs', file), 'utf8'))),
    )
    for (const section of new Set(all.map((one) => one.section))) {
      const of = all.filter((one) => one.section === section)
      console.log(`${section}: ${of.filter((one) => one.isEqual).length} of ${of.length}`)
    }
    const wrong = all.filter((one) => !one.isEqual)
    for (const { section, what } of wrong) console.error(`differs: ${section} ${what.slice(0, 200)}`)
    process.exitCode = wrong.length === 0 ? 0 : 1
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
