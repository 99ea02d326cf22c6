/**
 * The bounds of what an engine remembers that a soak would not reach in hours, by file: at the pace of its payments the
 * largest one is full after two days. Until then it grows as a leak would.
 */
const BOUNDS = {
  'src/engine/features/own-payments.ts': 'CAPACITY = 10_000',
  'src/operations/transactions/sign/signed-amounts.ts': 'CAPACITY = 100_000',
  'src/operations/transactions/submit/before-submission.ts': 'CAPACITY = 10_000',
  'src/streams/transfers/known-outputs.ts': 'CAPACITY = 100_000',
  'src/streams/utxos/store/amount-claims.ts': 'REMEMBERED = 10_000',
  'src/streams/utxos/unconfirmed/sync.ts': 'MAX_SETTLED = 10_000',
  'src/streams/utxos/unconfirmed/unconfirmed.ts': 'MAX_ACCEPTED = 10_000',
}

/** Of each: the soak pays as often within four minutes. */
const BOUND = 100

/** A plugin of Vite that bundles the sources with small bounds, so that they are reached while a soak warms up. */
export const smallBounds = {
  name: 'small-bounds',
  enforce: 'pre',
  transform(code, id) {
    const [, bound] = Object.entries(BOUNDS).find(([file]) => id.endsWith(`/${file}`)) ?? []
    if (bound === undefined) return null
    if (!code.includes(`const ${bound}\n`)) throw new Error(`${id} has no line "const ${bound}"`)
    const [name] = bound.split(' = ')
    return code.replace(`const ${bound}\n`, `const ${name} = ${BOUND}\n`)
  },
}
