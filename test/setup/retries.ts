/**
 * Retries of a failed test in the complete run (`npm test`), which lists each test that passed on a retry. A failed
 * property is not retried: another case would hide its counterexample.
 */
export const retries = (count: number) =>
  process.env.VUE_CHAIN_RETRY === '1' ? { count, condition: NOT_A_COUNTEREXAMPLE } : 0

/** Any message but those of fast-check and of the tests with a seed of their own. */
const NOT_A_COUNTEREXAMPLE = /^(?!Property (failed|interrupted)|FUZZ_SEED)/
