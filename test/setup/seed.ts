import fc from 'fast-check'
import { FULL } from '../full.js'

// Property tests run the same cases each time, so that a failure belongs to a change. `FUZZ_SEED` runs other cases, and
// so does `test:full`, with a random seed.
const SEED = process.env.FUZZ_SEED ?? (FULL ? undefined : '20251123')
if (SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(SEED) })
