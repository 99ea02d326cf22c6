/**
 * Which parts of a bundle have how many bytes: each chunk's min + gzip, divided by the rendered length of its modules.
 */
import { gzipSync } from 'node:zlib'

/** The first pattern that matches a module names its part. */
const PARTS = [
  ['RxJS', /\/(rxjs|tslib)\//],
  ['word list of BIP-39', /bip39\/wordlists/],
  ['secp256k1: @noble/curves', /@noble\/curves/],
  ['hashes: @noble/hashes', /@noble\/hashes/],
  ['BIP-32, BIP-39: @scure', /@scure\//],
  ['the port on them', /\/src\/sdk\//],
  ['Vue', /node_modules\/(vue|@vue)\//],
  ['payments', /\/src\/operations\/transactions\//],
  ['UTXO tracking', /\/src\/streams\/utxos\//],
  ['calls of useRpc and keys', /\/src\/operations\//],
  ['Borsh codec and table of messages', /\/src\/(wrpc\/borsh|node)\//],
  ['sockets, connection, session, subscriptions', /\/src\/(wrpc|streams|platform)\/|isomorphic-ws/],
  ['engine, plugin and composables', /\/src\/(engine|adapters|index|light|loading)|@vueuse/],
  ['domain types and errors', /\/src\/(model|errors)\//],
]

/** The parts of `output` with their bytes, largest first; `worker` is the size of the worker files. */
export function partsOf(output, worker) {
  const sizes = new Map([['the worker that signs many inputs: secp256k1 and SHA-256 again', worker]])
  for (const { code, modules } of output.filter(({ type }) => type === 'chunk')) {
    const gzip = gzipSync(code, { level: 9 }).length
    const rendered = Object.values(modules).reduce((sum, { renderedLength }) => sum + renderedLength, 0)
    for (const [id, { renderedLength }] of Object.entries(modules)) {
      const [part] = PARTS.find(([, pattern]) => pattern.test(id)) ?? ['the bundler’s own code']
      sizes.set(part, (sizes.get(part) ?? 0) + (gzip * renderedLength) / Math.max(rendered, 1))
    }
  }
  return [...sizes].sort(([, one], [, other]) => other - one)
}
