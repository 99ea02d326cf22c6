/**
 * `node scripts/x402-vectors.mjs`: fetches the vectors of the draft kaspa-x402 into .cache/x402-vectors, where
 * test/x402/vector-suite.ts reads them. X402_VECTORS is another place of its folder `vectors`.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../.cache/x402-vectors')
const { X402_VECTORS: source = 'https://raw.githubusercontent.com/elldeeone/kaspa-x402/main/protocol/vectors' } =
  process.env

mkdirSync(FOLDER, { recursive: true })
for (const path of ['exact/interop-v1.json', 'x402-http/exact-transaction.json']) {
  const response = await fetch(`${source}/${path}`)
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  writeFileSync(join(FOLDER, basename(path)), await response.text())
}
